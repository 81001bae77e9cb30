// CloudWatch dashboards from their deployed bodies: a grid of 24 columns as in the console, one column on a phone.

import { ask, clockTime, el, shortDay } from "./dom.js";
import { bars, metric, pie } from "./metric_widgets.js";
import { short, written } from "./units.js";

const KINDS = {
  text: (widget) => {
    const node = el("div", { class: "markdown" });
    node.innerHTML = widget.html; // made by the server from Markdown, in which HTML is not let through
    return node;
  },
  metric,
  alarms: alarmStates,
  rows: logRows,
  note: ({ note }) => el("p", { class: "empty" }, note),
};

/** Rows of a log query: a table, or bars and pies of their last column by their first. */
function logRows({ view, columns, rows }) {
  if (!rows.length) return el("p", { class: "empty" }, "No line matched in this time.");
  const lines = rows.map((row) => ({ label: words(row[0]), points: [[0, Number(row[row.length - 1])]] }));
  if (view === "bar") return bars({ lines });
  if (view === "pie") return pie({ lines });
  const numeric = columns.map((_, index) => rows.every((row) => row[index] === "" || !Number.isNaN(Number(row[index]))));
  const cell = (value, index) => el("td", { class: numeric[index] && "number" }, shown(value, columns[index], numeric[index]));
  const head = columns.map((name, index) => el("th", { scope: "col", class: numeric[index] && "number" }, heading(name)));
  return el("div", { class: "rows", tabindex: "0" },
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell))))));
}

const words = (text) => text.replace(/^@/, "").replaceAll("_", " ");
/** "cost_usd" as "cost": the cells have the unit. */
const heading = (name) => (name === "@timestamp" ? "when" : words(name.replace(/_(usd|seconds|percent)$/, "")));

function shown(value, column, numeric) {
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(value)) {
    const at = `${value.replace(" ", "T")}Z`;
    return `${shortDay(at)} ${clockTime(at)}`;
  }
  if (column === "latest" && numeric && value !== "") return `${shortDay(Number(value))} ${clockTime(Number(value))}`;
  if (numeric && value !== "") return written(column)(Number(value));
  return /^(failure_class|unknown)$/.test(column) ? words(value) : value;
}

const ORDER = ["ALARM", "OK", "INSUFFICIENT_DATA"];
const STATES = { ALARM: "ALARM", OK: "OK", INSUFFICIENT_DATA: "no data" };

/** How many are in which state, then each by its name, what rings first. */
function alarmStates({ alarms }) {
  const sorted = [...alarms].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  const counts = ORDER.map((state) => [state, alarms.filter((alarm) => alarm.state === state).length]).filter(([, count]) => count);
  return el("div", { class: "states" },
    el("p", {}, counts.map(([state, count]) => el("span", { class: state }, el("strong", {}, count), ` ${STATES[state]}`))),
    el("ul", {}, sorted.map(({ name, state, about }) =>
      el("li", { class: state, title: about }, el("b", {}, STATES[state]), ` ${readable(name)}`))));
}

/** "trainops-operations-AlarmsSlackDeliveryFaults84E5026C-35D85139" as "Slack delivery faults". */
function readable(name) {
  const words = name.replace(/^.*?-Alarms(?=[A-Z])/, "").replace(/[0-9A-F]{8}-[0-9A-Z]+$/, "");
  const apart = words.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return apart.charAt(0).toUpperCase() + apart.slice(1);
}

function card(widget, times) {
  const place = `grid-column: ${widget.x + 1} / span ${widget.width}; grid-row: ${widget.y + 1} / span ${widget.height}`;
  const node = el("section", { class: `widget ${widget.kind} ${widget.view || ""}${widget.plain ? " plain" : ""}`, style: place },
    widget.title && el("h2", {}, widget.title));
  node.append(KINDS[widget.kind](widget, times));
  return node;
}

function selection({ id, label, values, value }, choose) {
  const options = values.map((one) => el("option", { value: one.value, selected: one.value === value }, one.label));
  return el("label", { class: "variable" }, label,
    el("select", { onchange: ({ target }) => choose({ [id]: target.value }) }, options));
}

async function load({ name, hours, choices }) {
  const names = await ask("api/dashboards");
  const chosen = names.includes(name) ? name : names[0];
  return { names, dashboard: chosen ? await ask(`api/dashboards/${encodeURIComponent(chosen)}?${new URLSearchParams({ ...choices, hours })}`) : null };
}

export const dashboards = {
  load,
  key: ({ names, dashboard }) => [names, dashboard && [dashboard.variables, dashboard.widgets]],
  show(main, { names, dashboard }, { ranges, hours, choose }) {
    const choices = names.map((name) => el("a", { href: `#dashboards/${encodeURIComponent(name)}?hours=${hours}`,
      "aria-current": dashboard && name === dashboard.name && "page" }, name));
    const variables = dashboard ? dashboard.variables.map((variable) => selection(variable, choose)) : [];
    const head = el("header", { class: "head" }, el("div", { class: "choices" }, choices), variables, ranges());
    if (!dashboard) {
      main.replaceChildren(head, el("p", { class: "empty" }, "No dashboard is deployed."));
      return;
    }
    const grid = el("div", { class: "grid" });
    main.replaceChildren(head, grid); // in the page first: charts measure their place
    for (const widget of dashboard.widgets) grid.append(card(widget, dashboard));
  },
};
