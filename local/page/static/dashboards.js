// CloudWatch dashboards from their deployed bodies: a grid of 24 columns as in the console, one column on a phone.

import { short } from "./charts.js";
import { ask, el } from "./dom.js";
import { bars, metric, pie } from "./metric_widgets.js";

const KINDS = {
  text: (widget) => {
    const node = el("div", { class: "markdown" });
    node.innerHTML = widget.html; // made by the server from Markdown, in which HTML is not let through
    return node;
  },
  metric,
  alarms: ({ alarms }) =>
    el("ul", { class: "alarms" }, alarms.map(({ name, state, about }) =>
      el("li", { class: state, title: about }, el("b", {}, state === "INSUFFICIENT_DATA" ? "no data" : state), ` ${readable(name)}`))),
  rows: logRows,
  note: ({ note }) => el("p", { class: "empty" }, note),
};

/** Rows of a log query: a table, or bars and pies of their last column by their first. */
function logRows({ view, columns, rows }) {
  if (!rows.length) return el("p", { class: "empty" }, "No line matched in this time.");
  const lines = rows.map((row) => ({ label: row[0], points: [[0, Number(row[row.length - 1])]] }));
  if (view === "bar") return bars({ lines });
  if (view === "pie") return pie({ lines });
  const numeric = columns.map((_, index) => rows.every((row) => row[index] === "" || !Number.isNaN(Number(row[index]))));
  const cell = (value, index) => el("td", { class: numeric[index] && "number" }, numeric[index] && value !== "" ? short(Number(value)) : value);
  const head = columns.map((name, index) => el("th", { scope: "col", class: numeric[index] && "number" }, name.replace("@", "")));
  return el("div", { class: "rows", tabindex: "0" },
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell))))));
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
