// Numbers as people write them, with the unit that a title, an axis or a label names: $1.20, 64 %, 12 min.

import { duration } from "./dom.js";

/** 1234567 as "1.23M", 0.123456 as "0.123". */
export function short(value) {
  if (nothing(value)) return "–";
  const size = Math.abs(value);
  for (const [limit, unit] of [[1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (size >= limit) return `${round(value / (unit === "k" ? 1e3 : limit))}${unit}`;
  }
  return round(value);
}

const nothing = (value) => value === null || value === undefined || Number.isNaN(value);
const round = (value) => Number(value.toPrecision(Math.abs(value) >= 1000 ? 4 : 3)).toLocaleString("en-GB");
const cents = (value) => value.toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const number = (write) => (value) => (nothing(value) ? "–" : write(Number(value)));

const UNITS = [
  [/US\$|_usd$/, number((value) => `$${Math.abs(value) >= 1e4 ? short(value) : cents(value)}`)],
  [/%|percent/, number((value) => `${Number(value.toPrecision(3))} %`)],
  [/\bseconds$|_seconds$/, number((value) => duration(value * 1000))],
  [/_hours$|hours_/, number((value) => `${round(value)} h`)],
];

/** How a number is written that the first of these texts with a unit speaks of; without one, as it is. */
export function written(...texts) {
  for (const text of texts) {
    const found = UNITS.find(([unit]) => unit.test(text || ""));
    if (found) return found[1];
  }
  return short;
}

const CLOCK = [10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200, 86400];

/** Between the marks of an axis: for seconds what a clock shows, for counts at least one. */
export function marks(label, highest) {
  if (/\bseconds$/.test(label || "")) {
    const interval = CLOCK.find((step) => highest / step <= 5);
    return interval ? { interval, max: Math.ceil(highest / interval) * interval } : {};
  }
  return counted(label) ? { minInterval: 1 } : {};
}

/** The same on an axis, where cents are only noise. */
export function onAxis(...texts) {
  const write = written(...texts);
  return (value) => (value === 0 ? "0" : write(value).replace(/(\$[\d,]*\d)\.00$/, "$1"));
}

/** "saved, US$" as "saved": the number has the unit. */
export const unitless = (label) => label.replace(/, (%|US\$|percent|seconds)$/, "");

/** What cannot be divided, such as jobs. */
export const counted = (label) => /^(jobs|messages|invocations|per hour)$/.test(label || "");
