// Metrics over time: what adds up as columns upon each other, everything else as lines.

import { MUTED, RULE, chart, colours, timeAxis, tooltip } from "./charts.js";
import { el } from "./dom.js";
import { counted, marks, onAxis, unitless, written } from "./units.js";

const DAY = 86400;
const FEW = 40; // points that are marked one by one
const LISTED = 6; // lines that a legend names although they are nothing but zero
const told = (lines) => lines.filter((line) => line.points.length);
const zero = (line) => line.points.every(([, value]) => value === 0);

/** Where a point is drawn: a day's in the middle of that day. */
const place = (at, period) => (at + (period >= DAY ? period / 2 : 0)) * 1000;

/** Points in milliseconds; a missing period is a gap, not a line across it. */
function withGaps({ points, period }) {
  return points.flatMap(([at, value], index) => {
    const gap = index && at - points[index - 1][0] > period * 1.5;
    return gap ? [[place(at, period) - 1, null], [place(at, period), value]] : [[place(at, period), value]];
  });
}

/** A point without neighbours is a dot: a line would not show it. Few points are all marked. */
function dots(data) {
  return (_value, { dataIndex: index }) => {
    const alone = (neighbour) => !neighbour || neighbour[1] === null;
    if (alone(data[index - 1]) && alone(data[index + 1])) return 6;
    return data.length <= FEW ? 4.5 : 0;
  };
}

function axis(given = {}, side, title, highest) {
  const { min = 0, max } = given;
  return {
    ...(max === undefined ? marks(given.label, highest) : { interval: (max - min) / 4, max }),
    type: "value", position: side, min: given.min, name: counted(given.label) ? given.label : "", splitNumber: 4,
    nameTextStyle: { color: MUTED, fontSize: 11, align: side }, nameGap: 10,
    axisLabel: { color: MUTED, fontSize: 11, formatter: onAxis(given.label, title) },
    splitLine: { show: side === "left", lineStyle: { color: RULE } },
  };
}

function series(widget, lines) {
  const chosen = colours(widget.lines);
  return lines.map((line) => {
    const drawn = { name: unitless(line.label), color: chosen[widget.lines.indexOf(line)], yAxisIndex: line.axis === "right" ? 1 : 0 };
    if (widget.stacked) {
      const data = line.points.map(([at, value]) => [place(at, line.period), value]);
      return { ...drawn, type: "bar", stack: line.axis, data, barMaxWidth: 44, barCategoryGap: "30%", emphasis: { focus: "series" } };
    }
    const data = withGaps(line);
    return {
      ...drawn, type: "line", data, symbol: "circle", symbolSize: dots(data), showAllSymbol: true, lineStyle: { width: 1.8 },
      emphasis: { focus: "series" }, ...(widget.lines.length === 1 ? { areaStyle: { opacity: 0.08 } } : {}),
    };
  });
}

function levels(given) {
  const lines = given.map(({ value, label = "", color = "#c4342d" }) => ({
    yAxis: value, lineStyle: { color, type: "dashed", width: 1.2 },
    label: { formatter: label, position: "insideEndTop", color, fontSize: 10 },
  }));
  return { type: "line", data: [], markLine: { silent: true, symbol: "none", data: lines } };
}

/** The names in the legend, and how many lines it takes: of many lines only those that are not zero all the time. */
function named(lines, width) {
  const shown = lines.length > LISTED ? lines.filter((line) => !zero(line)) : lines;
  const names = shown.map((line) => unitless(line.label));
  const length = names.reduce((sum, name) => sum + name.length * 6 + 32, 0);
  return { names, rows: names.length ? Math.ceil(length / Math.max(width - 20, 80)) : 0 };
}

function legend(names, rest) {
  const more = rest ? [{ name: `${rest} more at 0`, icon: "none", textStyle: { color: "#98a1ad" } }] : [];
  return {
    show: true, bottom: 0, left: "center", icon: "roundRect", itemWidth: 10, itemHeight: 4, itemGap: 14, data: [...names, ...more],
    textStyle: { color: MUTED, fontSize: 11 }, selectedMode: rest ? false : true,
  };
}

/** What is to be read of many lines that are all zero. */
const nothing = (count) => el("p", { class: "empty" }, el("strong", {}, "0"), ` in all ${count} of them, the whole time`);

export function timeSeries(widget, { start, now }) {
  const lines = told(widget.lines);
  if (lines.length > LISTED && lines.every(zero)) return nothing(lines.length);
  const highest = Math.max(...lines.flatMap((line) => line.points.map(([, value]) => value)));
  const right = lines.some((line) => line.axis === "right");
  const names = { ...widget.yAxis };
  const hidden = (widget.legend || {}).position === "hidden";
  const box = el("div", { class: "chart" });
  queueMicrotask(() => {
    const entries = named(lines, box.clientWidth);
    const rest = lines.length - entries.names.length;
    const filler = rest ? [{ type: "line", name: `${rest} more at 0`, data: [] }] : [];
    chart(box, {
      grid: { left: 4, right: right ? 4 : 12, top: names.left && counted(names.left.label) ? 26 : 10,
        bottom: hidden ? 4 : 12 + 18 * Math.max(entries.rows, 1), outerBoundsMode: "same" },
      legend: hidden ? { show: false } : legend(entries.names, rest),
      tooltip: tooltip({ trigger: "axis", valueFormatter: written((names.left || {}).label, widget.title), axisPointer: { lineStyle: { color: "#9aa4b2" } } }),
      xAxis: timeAxis(start, now),
      yAxis: [axis(names.left, "left", widget.title, highest), ...(right ? [axis(names.right, "right", "", highest)] : [])],
      series: [...series(widget, lines), ...filler, levels(widget.marks)],
    });
  });
  return box;
}
