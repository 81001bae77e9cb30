// Metric widgets: time series, stacked areas, single values, bars, pies, gauges and tables.

import { MUTED, PALETTE, RULE, chart, short, timeAxis, tooltip } from "./charts.js";
import { el } from "./dom.js";

const colours = (lines) => lines.map((line, index) => line.colour || PALETTE[index % PALETTE.length]);
const last = (line) => (line.points.length ? line.points[line.points.length - 1][1] : null);

/** Points in milliseconds; a missing period is a gap, not a line across it. */
function withGaps({ points, period }) {
  return points.flatMap(([at, value], index) => {
    const gap = index && at - points[index - 1][0] > period * 1.5;
    return gap ? [[(at - 1) * 1000, null], [at * 1000, value]] : [[at * 1000, value]];
  });
}

/** A point without neighbours is a dot: a line would not show it. */
function dots(data) {
  return (_value, { dataIndex: index }) => {
    const alone = (neighbour) => !neighbour || neighbour[1] === null;
    return alone(data[index - 1]) && alone(data[index + 1]) ? 5 : 0;
  };
}

function axis(given = {}, side) {
  const { min = 0, max } = given;
  return {
    interval: max === undefined ? undefined : (max - min) / 4,
    type: "value", position: side, min: given.min, max: given.max, name: given.label, splitNumber: 4,
    nameTextStyle: { color: MUTED, fontSize: 11, align: side }, nameGap: 10,
    axisLabel: { color: MUTED, fontSize: 11, formatter: short }, splitLine: { show: side === "left", lineStyle: { color: RULE } },
  };
}

function series(widget) {
  const chosen = colours(widget.lines);
  return widget.lines.map((line, index) => {
    const data = withGaps(line);
    return {
      type: "line", name: line.label, data, color: chosen[index], yAxisIndex: line.axis === "right" ? 1 : 0, symbol: "circle",
      symbolSize: dots(data), showAllSymbol: true, lineStyle: { width: widget.stacked ? 1 : 1.8 }, emphasis: { focus: "series" }, ...area(widget, line),
    };
  });
}

/** What lies below a line: areas upon each other, or a tint below a line that is alone. */
function area(widget, line) {
  if (widget.stacked) return { areaStyle: { opacity: 0.75 }, stack: line.axis };
  return widget.lines.length === 1 ? { areaStyle: { opacity: 0.07 } } : {};
}

function levels(marks) {
  const lines = marks.map(({ value, label = "", color = "#c4342d" }) => ({
    yAxis: value, lineStyle: { color, type: "dashed", width: 1.2 },
    label: { formatter: label, position: "insideEndTop", color, fontSize: 10 },
  }));
  return { type: "line", data: [], markLine: { silent: true, symbol: "none", data: lines } };
}

function timeSeries(widget, { start, now }) {
  const right = widget.lines.some((line) => line.axis === "right");
  const names = { ...widget.yAxis };
  const hidden = (widget.legend || {}).position === "hidden";
  const box = el("div", { class: "chart" });
  queueMicrotask(() => chart(box, {
    grid: { left: 6, right: right ? 6 : 14, top: names.left && names.left.label ? 26 : 10, bottom: hidden ? 4 : 30, outerBoundsMode: "same" },
    legend: { show: !hidden, bottom: 0, type: "scroll", pageIconColor: MUTED, pageIconSize: 9, pageTextStyle: { color: MUTED, fontSize: 11 }, icon: "roundRect", itemWidth: 10, itemHeight: 4, itemGap: 14, textStyle: { color: MUTED, fontSize: 11 } },
    tooltip: tooltip({ trigger: "axis", valueFormatter: short, axisPointer: { lineStyle: { color: "#9aa4b2" } } }),
    xAxis: timeAxis(start, now),
    yAxis: [axis(names.left, "left"), ...(right ? [axis(names.right, "right")] : [])],
    series: [...series(widget), levels(widget.marks)],
  }));
  return box;
}

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
    el("div", { class: "value" }, el("span", {}, line.label), el("strong", {}, short(last(line))),
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
