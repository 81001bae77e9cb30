// Samples of cards beside each other, for pictures: the channel in columns, or e-mails each in a frame of its own.

import { ask, el } from "./dom.js";
import { message } from "./slack.js";

const WIDTHS = { phone: 390, desktop: 660 };
const COLUMNS = { slack: () => 2, phone: (count) => (count > 6 ? 4 : 3), desktop: () => 2 };
const [, view, name] = location.pathname.split("/");
const main = document.getElementById("main");

function mail({ subject, html }) {
  const frame = el("iframe", { title: subject, srcdoc: html, width: WIDTHS[view], height: 40 });
  const loaded = new Promise((done) => frame.addEventListener("load", () => {
    frame.height = frame.contentDocument.documentElement.scrollHeight;
    done();
  }));
  return [el("figure", {}, el("figcaption", {}, subject), frame), loaded];
}

const cards = await ask(`/cards/${name}`);
const drawn = view === "slack" ? cards.map((card) => [message(card), null]) : cards.map(mail);
const columns = Array.from({ length: COLUMNS[view](cards.length) }, () => el("div", {}));
main.className = `gallery ${view}`;
main.replaceChildren(...columns);
// Each goes where there is most room, which it shows only once it is in the page.
for (const [node, loaded] of drawn) {
  columns.reduce((best, column) => (column.offsetHeight < best.offsetHeight ? column : best)).append(node);
  await loaded;
}
main.dataset.ready = "true";
