// CloudWatch dashboards from their deployed bodies: a grid of 24 columns as in the console, one column on a phone.

import { ask, el } from "./dom.js";
import { metric } from "./metric_widgets.js";

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
  query: ({ query, note }) => el("div", { class: "query" }, el("p", {}, note), el("pre", {}, query)),
  note: ({ note }) => el("p", { class: "empty" }, note),
};

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

async function load({ name, hours }) {
  const names = await ask("api/dashboards");
  const chosen = names.includes(name) ? name : names[0];
  return { names, dashboard: chosen ? await ask(`api/dashboards/${encodeURIComponent(chosen)}?hours=${hours}`) : null };
}

export const dashboards = {
  load,
  key: ({ names, dashboard }) => [names, dashboard && dashboard.widgets],
  show(main, { names, dashboard }, { ranges, hours }) {
    const choices = names.map((name) => el("a", { href: `#dashboards/${encodeURIComponent(name)}?hours=${hours}`,
      "aria-current": dashboard && name === dashboard.name && "page" }, name));
    const head = el("header", { class: "head" }, el("div", { class: "choices" }, choices), ranges());
    if (!dashboard) {
      main.replaceChildren(head, el("p", { class: "empty" }, "No dashboard is deployed."));
      return;
    }
    const grid = el("div", { class: "grid" });
    main.replaceChildren(head, grid); // in the page first: charts measure their place
    for (const widget of dashboard.widgets) grid.append(card(widget, dashboard));
  },
};
