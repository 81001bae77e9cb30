// Slack's mrkdwn as nodes. Source: Slack's reference "Formatting message text".

import { el, link } from "./dom.js";

const INLINE = new RegExp(
  [
    "```\\n?(?<block>[\\s\\S]+?)\\n?```",
    "`(?<code>[^`\\n]+)`",
    "<(?<address>[^>|]+)(?:\\|(?<label>[^>]*))?>",
    "(?<![\\w*])\\*(?<bold>[^*\\n]+)\\*(?![\\w*])",
    "(?<![\\w_])_(?<italic>[^_\\n]+)_(?![\\w_])",
    "(?<![\\w~])~(?<strike>[^~\\n]+)~(?![\\w~])",
  ].join("|"),
  "g",
);
const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
const plain = (text) => text.replace(/&(amp|lt|gt);/g, (found) => ENTITIES[found]);

export function mrkdwn(text) {
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    nodes.push(plain(text.slice(at, found.index)), node(found.groups));
    at = found.index + found[0].length;
  }
  return [...nodes, plain(text.slice(at))];
}

function node({ block, code, address, label, bold, italic, strike }) {
  if (block !== undefined) return el("pre", {}, plain(block));
  if (code !== undefined) return el("code", {}, plain(code));
  if (bold !== undefined) return el("strong", {}, mrkdwn(bold));
  if (italic !== undefined) return el("em", {}, mrkdwn(italic));
  if (strike !== undefined) return el("s", {}, mrkdwn(strike));
  if (/^[@!#]/.test(address)) return el("span", { class: "mention" }, plain(label || address.replace(/^!/, "@")));
  return link(plain(address), plain(label || address.replace(/^mailto:/, "")));
}

/** A text object: only mrkdwn is formatted. */
export const text = (given) => (given.type === "mrkdwn" ? mrkdwn(given.text) : [given.text]);
