// Elements from data: text is always a text node, so nothing that a message holds becomes markup.

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** A link that opens apart; an address that is no web or mail address stays text. */
export function link(address, ...children) {
  if (!/^(https?:|mailto:)/i.test(address)) return el("span", {}, ...children);
  return el("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, ...children);
}

export async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const inUtc = { timeZone: "UTC" };
export const clockTime = (at) => new Date(at).toLocaleTimeString("en-GB", { ...inUtc, hour: "2-digit", minute: "2-digit" });
export const day = (at) =>
  new Date(at).toLocaleDateString("en-GB", { ...inUtc, weekday: "long", day: "numeric", month: "long" });
export const shortDay = (at) =>
  new Date(at).toLocaleDateString("en-GB", { ...inUtc, weekday: "short", day: "numeric", month: "short" });

/** "2 d 3 h", "14 min", "40 s": the two largest parts of a duration in milliseconds. */
export function duration(milliseconds) {
  let left = Math.round(milliseconds / 1000);
  const parts = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]].map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return [count, unit];
  });
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return "0 s";
  return parts.slice(first, first + 2).filter(([count]) => count).map((part) => part.join(" ")).join(" ");
}
