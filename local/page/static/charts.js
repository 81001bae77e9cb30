// What every chart shares: colours that colour-blind people tell apart, quiet axes, numbers as people write them.

export const PALETTE = ["#2b6cb0", "#dd7a2e", "#2f9e77", "#a84a97", "#c2a11f", "#5f62c4", "#4aa5bf", "#b5544d", "#7a7f87"];
export const INK = "#1d2733";
export const MUTED = "#667180";
export const RULE = "#e4e8ee";
export const FONT = "Inter, system-ui, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";

const drawn = new Set();

/** Draw into a node; the chart follows the node's width and goes when the node has left the page. */
export function chart(node, option) {
  for (const old of drawn) {
    if (old.getDom().isConnected) continue;
    old.dispose();
    drawn.delete(old);
  }
  const found = window.echarts.init(node, null, { renderer: "svg" });
  found.setOption({ useUTC: true, animation: false, textStyle: { fontFamily: FONT, color: INK }, aria: { enabled: true }, ...option });
  new ResizeObserver(() => found.isDisposed() || found.resize()).observe(node);
  drawn.add(found);
  return found;
}

/** A widget's lines in its own colours, else in ours. */
export const colours = (lines) => lines.map((line, index) => line.colour || PALETTE[index % PALETTE.length]);

const HOUR = 3600e3;
const utc = (at, shape) => new Date(at).toLocaleString("en-GB", { timeZone: "UTC", ...shape });

/** A day by its name, an hour of it by the clock. */
function moment(at) {
  if (at % (24 * HOUR) === 0) return `{bold|${utc(at, { weekday: "short", day: "numeric" })}}`;
  return utc(at, { hour: "2-digit", minute: "2-digit" });
}

export function timeAxis(start, end) {
  const days = (Date.parse(end) - Date.parse(start)) / (24 * HOUR);
  return {
    type: "time", min: start, max: end, axisLine: { lineStyle: { color: "#c7ced8" } }, axisTick: { show: false },
    minInterval: days > (window.innerWidth < 700 ? 1.5 : 3) ? 24 * HOUR : undefined,
    axisLabel: {
      color: MUTED, fontSize: 11, hideOverlap: true,
      formatter: moment,
      rich: { bold: { color: INK, fontWeight: 600, fontSize: 11 } },
    },
    splitLine: { show: true, lineStyle: { color: "#f0f2f6" } },
  };
}

export const tooltip = (more) => ({
  backgroundColor: "#fff", borderColor: RULE, padding: [8, 12], textStyle: { color: INK, fontSize: 12 },
  extraCssText: "box-shadow: 0 4px 16px rgba(20, 30, 50, .14); max-width: min(340px, 80vw); white-space: normal;",
  confine: true, ...more,
});
