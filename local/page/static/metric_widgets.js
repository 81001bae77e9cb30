// Metric widgets: time series, single values, bars, pies, gauges and tables.

import { MUTED, PALETTE, RULE, chart, colours, tooltip } from "./charts.js";
import { el } from "./dom.js";
import { timeSeries } from "./time_series.js";
import { short, unitless, written } from "./units.js";

const last = (line) => (line.points.length ? line.points[line.points.length - 1][1] : null);

function sparkline(line, colour) {
  const box = el("div", { class: "spark", "aria-hidden": "true" });
  queueMicrotask(() => chart(box, {
    grid: { left: 0, right: 0, top: 2, bottom: 0 },
    xAxis: { type: "time", show: false }, yAxis: { type: "value", show: false, scale: true },
    series: [{ type: "line", data: line.points.map(([at, value]) => [at * 1000, value]), symbol: "none", color: colour,
      lineStyle: { width: 1.6 }, areaStyle: { opacity: 0.12 } }],
  }));
  return box;
}

function singleValue(widget) {
  const chosen = colours(widget.lines);
  return el("div", { class: "values" }, widget.lines.map((line, index) =>
    el("div", { class: "value" }, el("span", {}, unitless(line.label)), el("strong", {}, written(line.label, widget.title)(last(line))),
      widget.sparkline !== false && line.points.length > 2 ? sparkline(line, chosen[index]) : null)));
}

export function bars(widget) {
  const chosen = colours(widget.lines);
  const box = el("div", { class: "chart" });
  queueMicrotask(() => chart(box, {
    grid: { left: 6, right: 40, top: 6, bottom: 6, outerBoundsMode: "same" }, tooltip: tooltip({ valueFormatter: short }),
    xAxis: { type: "value", show: false }, yAxis: { type: "category", inverse: true, data: widget.lines.map((line) => line.label),
      axisTick: { show: false }, axisLine: { show: false }, axisLabel: { color: MUTED, fontSize: 11 } },
    series: [{ type: "bar", barMaxWidth: 18, itemStyle: { borderRadius: 2 }, label: { show: true, position: "right", formatter: ({ value }) => short(value) },
      data: widget.lines.map((line, index) => ({ value: last(line), itemStyle: { color: chosen[index] } })) }],
  }));
  return box;
}

export function pie(widget) {
  const box = el("div", { class: "chart" });
  const amount = Object.fromEntries(widget.lines.map((line) => [line.label, short(last(line))]));
  queueMicrotask(() => chart(box, {
    color: colours(widget.lines), tooltip: tooltip({ valueFormatter: short }),
    legend: { orient: "vertical", right: 4, top: "middle", icon: "circle", itemWidth: 8, formatter: (name) => `${name}  ${amount[name]}`, textStyle: { color: MUTED, fontSize: 11 } },
    series: [{ type: "pie", radius: ["52%", "80%"], center: ["34%", "50%"], label: { show: false }, itemStyle: { borderColor: "#fff", borderWidth: 2 },
      data: widget.lines.map((line) => ({ name: line.label, value: last(line) })) }],
  }));
  return box;
}

function gauge(widget) {
  const { min = 0, max = 100 } = (widget.yAxis || {}).left || {};
  const box = el("div", { class: "chart" });
  queueMicrotask(() => chart(box, {
    series: widget.lines.slice(0, 1).map((line) => ({
      type: "gauge", min, max, startAngle: 200, endAngle: -20, radius: "100%", center: ["50%", "62%"], color: PALETTE[0],
      progress: { show: true, width: 12 }, axisLine: { lineStyle: { width: 12, color: [[1, RULE]] } }, pointer: { show: false },
      axisTick: { show: false }, splitLine: { show: false }, axisLabel: { show: false },
      detail: { formatter: short, fontSize: 24, fontWeight: 600, offsetCenter: [0, "-4%"] },
      title: { offsetCenter: [0, "26%"], color: MUTED, fontSize: 11 }, data: [{ value: last(line), name: line.label }] })),
  }));
  return box;
}

function table(widget) {
  const row = (line) => el("tr", {}, el("th", { scope: "row" }, line.label), el("td", {}, short(last(line))));
  return el("table", {}, el("tbody", {}, widget.lines.map(row)));
}

const VIEWS = { timeSeries, singleValue, bar: bars, pie, gauge, table };

export function metric(widget, times) {
  if (!widget.lines.some((line) => line.points.length)) return el("p", { class: "empty" }, "No data in this time.");
  return (VIEWS[widget.view] || timeSeries)(widget, times);
}
