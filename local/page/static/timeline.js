// Jobs and warm pools over time: a lane for each cluster at work, grouped by team and instance type.

import { FONT, INK, MUTED, RULE, chart, timeAxis, tooltip } from "./charts.js";
import { ask, clockTime, duration, el, shortDay } from "./dom.js";

// [fill, what the legend calls it]; dark to light as work to waiting, with a warm hue for what went wrong.
const STATUSES = {
  Pending: ["#d6dce4", "Pending"],
  Starting: ["#aab7c6", "Starting"],
  Downloading: ["#7fb2e0", "Downloading"],
  Training: ["#2b6cb0", "Training"],
  Uploading: ["#5bb8a6", "Uploading"],
  Interrupted: ["#e8a13a", "Interrupted"],
  Stopping: ["#a99bc6", "Stopping"],
  Available: ["#cdeadb", "Warm pool, idle"],
};
const ENDS = { Failed: ["#c4342d", "Failed"], Stopped: ["#6b7280", "Stopped"] };
const OTHER = ["#c9ced6", "Other"];
const rowHeight = (rows) => (rows.length <= 10 ? 32 : 25);

function rowsOf(groups) {
  let last = "";
  return groups.flatMap(({ team, type, lanes }) =>
    lanes.map((runs, index) => {
      const first = team !== last && index === 0;
      if (index === 0) last = team;
      return { team: first ? team : "", type: index === 0 ? type : "", runs, first };
    }),
  );
}

function spans(rows, start) {
  return rows.flatMap(({ runs }, lane) =>
    runs.flatMap((run) =>
      run.phases.filter((phase) => Date.parse(phase.end) >= start).map((phase, index) => ({
        value: [lane, Date.parse(phase.start), Date.parse(phase.end)],
        phase, run, last: index === run.phases.length - 1 || run.phases[index + 1].status === "Available",
      })),
    ),
  );
}

function drawSpan(items, bar) {
  return (parameters, api) => {
    const { phase, run, last } = items[parameters.dataIndex];
    const [x, middle] = api.coord([api.value(1), api.value(0)]);
    const [end] = api.coord([api.value(2), api.value(0)]);
    const pool = phase.status === "Available";
    const height = pool ? bar / 2 : bar;
    const shape = window.echarts.graphic.clipRectByRect(
      { x, y: middle - height / 2, width: Math.max(end - x, 1.5), height }, parameters.coordSys);
    if (!shape) return null;
    const [fill] = STATUSES[phase.status] || OTHER;
    const style = pool ? { fill, stroke: "#58a985", lineWidth: 1 } : { fill };
    const children = [{ type: "rect", shape: { ...shape, r: pool ? 2 : 1.5 }, style }];
    const ending = last && ENDS[run.facts.Status];
    if (ending) {
      children.push({ type: "rect", shape: { x: shape.x + shape.width - 1.5, y: middle - bar / 2 - 2, width: 3.5, height: bar + 4, r: 1 },
        style: { fill: ending[0] } });
    }
    if (phase.status === "Training" && shape.width > run.job.length * 6.2 + 12) {
      const text = run.job;
      children.push({ type: "text", style: { x: shape.x + 6, y: middle, text, fill: "#fff", fontFamily: FONT, fontSize: 10.5, fontWeight: 500,
        verticalAlign: "middle" } });
    }
    return { type: "group", children };
  };
}

/** A fact as text: durations come in seconds. */
const shown = (value) => (typeof value === "number" ? duration(value * 1000) : value);

function hover({ phase, run }) {
  const facts = Object.entries(run.facts).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, shown(value))));
  const took = duration(Date.parse(phase.end) - Date.parse(phase.start));
  const what = (STATUSES[phase.status] || [null, phase.status])[1];
  return el("div", { class: "hover" }, el("strong", {}, run.job),
    el("p", {}, `${what}, ${took} from ${shortDay(phase.start)} ${clockTime(phase.start)}`), el("dl", {}, facts));
}

function legend(items) {
  const seen = new Set(items.map((item) => item.phase.status));
  const ends = new Set(items.map((item) => item.run.facts.Status));
  const known = Object.entries(STATUSES).filter(([status]) => seen.has(status));
  const ended = Object.entries(ENDS).filter(([status]) => ends.has(status));
  const entry = (kind) => ([status, [fill, label]]) =>
    el("li", {}, el("i", { class: `${kind} ${status}`, style: `background: ${fill}` }), label);
  return el("ul", { class: "legend" }, known.map(entry("span")), ended.map(entry("end")));
}

function summary(groups, now) {
  const runs = groups.flatMap((group) => group.lanes.flat());
  const count = (test) => runs.filter(test).length;
  const idle = count((run) => run.facts["Warm pool"] === "Available");
  const figures = [
    [runs.length, "jobs"], [count((run) => run.facts.Status === "InProgress"), "running"],
    [count((run) => run.facts.Status === "Failed"), "failed"],
    [runs.reduce((sum, run) => sum + Number(run.facts.Interruptions || 0), 0), "spot interruptions"],
    [count((run) => run.reused_by), "warm starts"], [idle, "idle pools now"],
  ];
  return el("ul", { class: "figures" }, figures.map(([value, label]) => el("li", {}, el("strong", {}, value), ` ${label}`)));
}

const COLUMNS = ["Status", "Instances", "Owner", "Trained", "Billed", "Interruptions", "Warm pool", "Failure"];
const LISTED = 50;

/** The same as text, latest first, for who reads rather than looks. */
function jobs(groups) {
  const runs = groups.flatMap(({ team, lanes }) => lanes.flat().map((run) => ({ ...run, team })));
  runs.sort((a, b) => Date.parse(b.phases[0].start) - Date.parse(a.phases[0].start));
  const cell = (run) => (name) => el("td", { class: name === "Status" ? `status ${run.facts.Status}` : name.split(" ")[0], title: name === "Failure" && run.facts[name] }, shown(run.facts[name] ?? ""));
  const row = (run) => el("tr", {}, el("th", { scope: "row" }, run.job), el("td", {}, run.team),
    el("td", {}, `${shortDay(run.phases[0].start)} ${clockTime(run.phases[0].start)}`), COLUMNS.map(cell(run)));
  const head = ["Job", "Team", "Created", ...COLUMNS].map((name) => el("th", { scope: "col" }, name));
  return el("section", { class: "panel jobs", tabindex: "0", "aria-label": "Jobs as a table" },
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, runs.slice(0, LISTED).map(row))));
}

function within(groups, start) {
  return groups
    .map((group) => ({ ...group, lanes: group.lanes.map((runs) => runs.filter((run) => ended(run) >= start)).filter((runs) => runs.length) }))
    .filter((group) => group.lanes.length);
}
const ended = (run) => Date.parse(run.phases[run.phases.length - 1].end);

/** A rule above the first lane of each team but the first. */
function betweenTeams(rows) {
  const first = rows.flatMap((row, index) => (index && row.first ? [index] : []));
  const renderItem = ({ coordSys }, api) => {
    const y = api.coord([0, api.value(0)])[1] - api.size([0, 1])[1] / 2;
    return { type: "line", silent: true, shape: { x1: coordSys.x, x2: coordSys.x + coordSys.width, y1: y, y2: y }, style: { stroke: RULE } };
  };
  return { type: "custom", silent: true, renderItem, encode: { y: 0 }, data: first.map((index) => [index]) };
}

function option(rows, items, { start, now }) {
  const names = rows.map((row, index) => `${index}`);
  const narrow = window.innerWidth < 700;
  const label = (name) => `{team|${rows[name].team}}${narrow ? "\n" : ""}{type|${rows[name].type}}`;
  return {
    grid: { left: narrow ? 92 : 170, right: 14, top: 8, bottom: 30 },
    xAxis: timeAxis(start, now),
    yAxis: {
      type: "category", inverse: true, data: names, axisTick: { show: false }, axisLine: { show: false },
      splitLine: { show: false },
      axisLabel: { interval: 0, formatter: label, margin: 8, rich: {
        team: { width: narrow ? 82 : 62, align: "left", fontWeight: 600, color: INK, fontSize: narrow ? 10.5 : 12, height: 11 },
        type: { width: narrow ? 82 : 98, align: "left", color: MUTED, fontSize: narrow ? 10 : 11, height: 11 } } },
    },
    tooltip: tooltip({ formatter: (found) => (found.data && found.data.run ? hover(found.data) : "") }),
    dataZoom: [{ type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl" }],
    series: [betweenTeams(rows), { type: "custom", clip: true, renderItem: drawSpan(items, rowHeight(rows) * 0.55), encode: { x: [1, 2], y: 0 }, data: items }],
  };
}

export const timeline = {
  load: async ({ hours }) => ask(`api/timeline?hours=${hours}`),
  // A clock that stands still brings nothing new; one that runs moves the axis at most every ten seconds.
  key: (data) => [data.groups, Math.floor(Date.parse(data.now) / 1e4)],
  show(main, data, { ranges }) {
    const start = Date.parse(data.start);
    const groups = within(data.groups, start);
    const rows = rowsOf(groups);
    const items = spans(rows, start);
    const head = el("header", { class: "head" }, el("h1", {}, "Jobs and warm pools"), ranges());
    if (!rows.length) {
      main.replaceChildren(el("section", { class: "panel" }, head, el("p", { class: "empty" }, "No training job in this time.")));
      return;
    }
    const box = el("div", { class: "chart", style: `height: ${rows.length * rowHeight(rows) + 38}px` });
    main.replaceChildren(el("section", { class: "panel" }, head, summary(groups), box, legend(items)), jobs(groups));
    chart(box, option(rows, items, data));
  },
};
