// Chooses the section by the address's hash, keeps it fresh, and shows the simulated clock.

import { ask, clockTime, el, shortDay } from "./dom.js";
import { dashboards } from "./dashboards.js";
import { mailbox } from "./mailbox.js";
import { slack } from "./slack.js";
import { timeline } from "./timeline.js";

const SECTIONS = { timeline, dashboards, slack, mail: mailbox };
const FRESH_MS = 4000;
const RANGES = [[3, "3 h"], [24, "1 day"], [72, "3 days"], [168, "1 week"]];
const main = document.getElementById("main");
const fault = document.getElementById("fault");
let shown = "";
let version = 0;

function place() {
  const [path, query = ""] = location.hash.slice(1).split("?");
  const [section, ...rest] = path.split("/");
  const known = section in SECTIONS ? section : "timeline";
  const { hours, ...choices } = Object.fromEntries(new URLSearchParams(query));
  return { section: known, name: decodeURIComponent(rest.join("/")), hours: Number(hours) || 24, choices };
}

/** The address of a place, for a link to it. */
const address = ({ section, name, hours, choices }) =>
  `#${section}${name ? `/${encodeURIComponent(name)}` : ""}?${new URLSearchParams({ hours, ...choices })}`;

function ranges(here) {
  const choice = ([hours, label]) =>
    el("a", { href: address({ ...here, hours }), "aria-current": hours === here.hours && "true" }, label);
  return el("div", { class: "ranges", role: "group", "aria-label": "Time range" }, RANGES.map(choice));
}

async function show() {
  const mine = ++version;
  const here = place();
  try {
    const section = SECTIONS[here.section];
    const [clock, data] = await Promise.all([ask("api/clock"), section.load(here)]);
    if (mine !== version) return;
    showClock(clock);
    fault.hidden = true;
    const key = JSON.stringify([here, section.key ? section.key(data) : data]);
    if (key === shown) return;
    const whole = JSON.parse(key)[0].section !== (shown && JSON.parse(shown)[0].section);
    shown = key;
    for (const item of document.querySelectorAll("nav a")) {
      const current = item.hash === `#${here.section}`;
      if (current) item.setAttribute("aria-current", "page");
      else item.removeAttribute("aria-current");
    }
    const choose = (choices) => {
      location.hash = address({ ...here, choices: { ...here.choices, ...choices } });
    };
    section.show(main, data, { ...here, ranges: () => ranges(here), choose, whole });
    main.dataset.section = here.section;
  } catch (error) {
    if (mine !== version) return;
    fault.textContent = `The local AWS does not answer (${error.message})`;
    fault.hidden = false;
  }
}

function showClock({ now, rate }) {
  const time = document.getElementById("now");
  time.dateTime = now;
  time.textContent = `${shortDay(now)} ${clockTime(now)} UTC`;
  document.getElementById("rate").textContent = rate === 0 ? "stepped" : rate === 1 ? "" : `× ${rate}`;
}

addEventListener("hashchange", show);
setInterval(() => document.hidden || show(), FRESH_MS);
show();
