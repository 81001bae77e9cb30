// The mailbox: a list, and the chosen mail as a mail client shows it, in a frame where no script runs.

import { ask, clockTime, el, shortDay } from "./dom.js";

function row(mail, index, chosen) {
  return el("a", { href: `#mail/${index}`, "aria-current": index === chosen && "true" },
    el("strong", {}, mail.subject), el("span", {}, `to ${mail.to.join(", ")}`),
    el("time", { datetime: mail.at }, `${shortDay(mail.at)} ${clockTime(mail.at)}`));
}

function body(mail) {
  if (!mail.html) return el("pre", {}, mail.text);
  // Without allow-scripts nothing in the mail runs; same-origin lets this page measure its height.
  const frame = el("iframe", { sandbox: "allow-same-origin allow-popups", title: mail.subject, srcdoc: mail.html });
  frame.addEventListener("load", () => {
    frame.style.height = `${frame.contentDocument.documentElement.scrollHeight}px`;
  });
  return frame;
}

function reading(mail) {
  return el("article", { class: "reading" },
    el("header", {}, el("h1", {}, mail.subject),
      el("p", {}, el("strong", {}, mail.from), ` to ${mail.to.join(", ")}`),
      el("time", { datetime: mail.at }, `${shortDay(mail.at)} ${clockTime(mail.at)} UTC`)),
    body(mail));
}

export const mailbox = {
  load: async () => (await ask("api/messages")).mail,
  show(main, mails, { name }) {
    if (!mails.length) {
      main.replaceChildren(el("p", { class: "empty" }, "No e-mail yet."));
      return;
    }
    const chosen = name !== "" && mails[Number(name)] ? Number(name) : mails.length - 1;
    const list = mails.map((mail, index) => row(mail, index, chosen)).reverse();
    const before = main.querySelector(".inbox");
    const scrolled = before ? before.scrollTop : 0;
    main.replaceChildren(el("div", { class: "mail" }, el("div", { class: "inbox" }, list), reading(mails[chosen])));
    main.querySelector(".inbox").scrollTop = scrolled;
  },
};
