// The channel as Slack draws it: Block Kit messages by day, newest at the bottom.

import { ask, clockTime, day, el, link } from "./dom.js";
import { mrkdwn, text } from "./mrkdwn.js";

const BLOCKS = {
  header: (block) => el("h3", {}, text(block.text)),
  section: (block) => [
    block.text && el("p", { class: "text" }, text(block.text)),
    block.fields && el("div", { class: "fields" }, block.fields.map((field) => el("p", {}, text(field)))),
  ],
  context: (block) =>
    el("div", { class: "context" }, block.elements.map((item) => el("span", {}, item.text ? text(item) : item.alt_text))),
  divider: () => el("hr"),
  markdown: (block) => el("p", { class: "text" }, block.text),
  actions: (block) => el("div", { class: "actions" }, block.elements.map(button)),
};

function button(item) {
  const label = item.text ? text(item.text) : [item.type];
  const kind = item.style ? `button ${item.style}` : "button";
  if (item.url) {
    const node = link(item.url, ...label);
    node.className = kind;
    return node;
  }
  return el("button", { class: kind, type: "button", disabled: true, title: "Buttons do nothing here" }, label);
}

function blocks(given = []) {
  const unknown = (block) => el("p", { class: "context" }, `[${block.type}]`);
  return given.flatMap((block) => (BLOCKS[block.type] || unknown)(block));
}

function attachment(given) {
  const bar = /^#[0-9a-f]{6}$/i.test(given.color || "") ? `border-color: ${given.color}` : null;
  const content = given.blocks ? blocks(given.blocks) : [el("p", { class: "text" }, mrkdwn(given.text || ""))];
  return el("div", { class: "attachment", style: bar }, content);
}

export function message({ at, body }) {
  const content = blocks(body.blocks);
  if (!content.length && !(body.attachments || []).length) content.push(el("p", { class: "text" }, mrkdwn(body.text || "")));
  const head = el("p", { class: "by" }, el("strong", {}, "trainops"), el("span", { class: "app" }, "APP"),
    el("time", { datetime: at }, clockTime(at)));
  return el("article", { class: "message" }, el("img", { src: "/static/icon.svg", alt: "", width: 36, height: 36 }),
    el("div", {}, head, content, (body.attachments || []).map(attachment)));
}

function byDay(messages) {
  let last = "";
  return messages.flatMap((one) => {
    const today = day(one.at);
    const rule = today === last ? [] : [el("h2", { class: "day" }, el("span", {}, today))];
    last = today;
    return [...rule, message(one)];
  });
}

export const slack = {
  load: async () => (await ask("api/messages")).slack,
  show(main, messages, { whole }) {
    const near = whole || window.innerHeight + window.scrollY > document.body.scrollHeight - 200;
    const empty = el("p", { class: "empty" }, "No message yet. Create a training job and it is told here.");
    main.replaceChildren(
      el("section", { class: "channel" },
        el("header", {}, el("h1", {}, "# training-jobs"), el("p", {}, `${messages.length} messages`)),
        messages.length ? byDay(messages) : empty),
    );
    if (near) window.scrollTo(0, document.body.scrollHeight);
  },
};
