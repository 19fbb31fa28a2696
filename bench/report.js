// @ts-check
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ratioOf } from "./aim.js";
import { curvesOf, withoutPoints } from "./curves.js";
import { changesOf, limitsOf, tableOf } from "./table.js";

/** The headings of sections that a person writes. */
const KEPT = ["## Thirty sessions on a cluster"];

/**
 * All that one run has found out.
 * @typedef {object} Report
 * @property {string} machine
 * @property {string} commit
 * @property {string} date
 * @property {string} load of the machine, at the begin and at the end
 * @property {number} seconds
 * @property {boolean} isQuick
 * @property {readonly import("./row.js").Row[]} rows
 * @property {readonly { readonly title: string, readonly lines: readonly string[] }[]} explained
 * @property {readonly string[]} failures
 * @property {readonly Report[]} [curves] of runs of their own
 */

/**
 * What is printed.
 * @param {Report} report
 */
export function textOf({ machine, load, seconds, commit, isQuick, rows, explained, failures }) {
  const worth = isQuick
    ? "Run once with small sizes: these figures only show that everything runs."
    : "Medians (least–greatest). Compare ratios only.";
  return [
    `${commit} on ${machine}, ${load}, ${seconds} s. ${worth}`,
    ...bodyOf(rows),
    ...explained.map(
      ({ title, lines }) => `${title}:\n${lines.map((line) => `  ${line}`).join("\n")}`,
    ),
    ...failures,
    "",
  ].join("\n\n");
}

/**
 * Every sample.
 * @param {Report} report
 */
export function jsonOf(report) {
  const rows = report.rows.map((row) => ({ ...row, ratio: ratioOf(row) }));
  return `${JSON.stringify({ ...report, rows }, undefined, 2)}\n`;
}

/**
 * The table of rows, and the curves that some of them are points of.
 * @param {readonly import("./row.js").Row[]} rows
 */
function bodyOf(rows) {
  const single = withoutPoints(rows);
  return [...(single.length > 0 ? [tableOf(single)] : []), ...curvesOf(rows)];
}

/**
 * A report that was kept as JSON.
 * @param {string} path
 * @returns {Report}
 */
export function readReport(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * Writes the table and its samples beside this file, in the form in which the repository keeps its files.
 * @param {Report} report
 * @param {object} others reports of other runs, as files of JSON
 * @param {string | undefined} others.before of another build
 * @param {readonly string[]} others.curves
 */
export async function writeResults(report, { before, curves }) {
  const whole = { ...report, curves: curves.map(readReport) };
  const { format, resolveConfig } = await import("prettier");
  const markdown = join(import.meta.dirname, "RESULTS.md");
  const json = join(import.meta.dirname, "results.json");
  const options = await resolveConfig(markdown);
  const write = async (/** @type {string} */ path, /** @type {string} */ text) =>
    writeFileSync(path, await format(text, { ...options, filepath: path }));
  const kept = existsSync(markdown) ? keptOf(readFileSync(markdown, "utf8")) : [];
  const other = before === undefined ? undefined : readReport(before);
  await write(markdown, resultsOf(whole, other, kept));
  await write(json, jsonOf(whole));
}

/**
 * What RESULTS.md says.
 * @param {Report} report
 * @param {Report} [before] of another build, on the same machine
 * @param {readonly string[]} kept sections of what RESULTS.md said before
 */
export function resultsOf(report, before, kept = []) {
  const { rows, explained, failures, curves = [] } = report;
  const single = withoutPoints(rows);
  return [
    "# Results of the bench",
    `Written by \`npm run bench -- --results\`; every sample is in [results.json](results.json), and what is measured in [README.md](README.md).`,
    circumstances(report),
    "Medians, with the least and the greatest sample in parentheses.",
    tableOf(single),
    ...(before === undefined ? [] : comparisonOf(report, before)),
    "## What limits each row",
    limitsOf(single),
    "## Where time goes",
    ...explanations(explained),
    ...curvesOfAll(report, curves),
    ...(failures.length > 0 ? ["## What failed", ...failures.map((each) => `- ${each}`)] : []),
    ...kept,
    "",
  ].join("\n\n");
}

/**
 * The sections of RESULTS.md that a person wrote, of what a program prints that is not part of the bench.
 * @param {string} markdown
 * @returns {readonly string[]}
 */
export function keptOf(markdown) {
  const sections = markdown.split(/^(?=## )/mu);
  return KEPT.flatMap((heading) =>
    sections.filter((section) => section.startsWith(`${heading}\n`)).map((text) => text.trimEnd()),
  );
}

/** @param {Report} report */
function circumstances({ date, commit, machine, load, seconds }) {
  return [`- Date: ${date}`, `- Commit: ${commit}`, `- Machine: ${machine}`, `- Load: ${load}`]
    .concat(`- Duration: ${seconds} s`)
    .join("\n");
}

/** @param {Report["explained"]} explained */
function explanations(explained) {
  return explained.map(
    ({ title, lines }) => `${title}:\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\``,
  );
}

/**
 * The curves of this run and of others, each with what its figures depend on.
 * @param {Report} report
 * @param {readonly Report[]} others
 * @returns {readonly string[]}
 */
function curvesOfAll(report, others) {
  const own = curvesOf(report.rows);
  if (own.length === 0 && others.length === 0) return [];
  return [
    "## Curves",
    "In parentheses: how many times the figure of the first point.",
    ...own,
    ...others.flatMap((other) => [
      ...bodyOf(other.rows),
      ...explanations(other.explained),
      ...other.failures.map((each) => `Failed: ${each}`),
      `What this run of ${listOf(other)} depends on:`,
      circumstances(other),
    ]),
  ];
}

/** @param {Report} report */
function listOf({ rows }) {
  const curves = new Set(rows.flatMap(({ point }) => (point === undefined ? [] : [point.curve])));
  return [...curves].map((curve) => `“${curve}”`).join(", ");
}

/**
 * @param {Report} report
 * @param {Report} before
 * @returns {readonly string[]}
 */
function comparisonOf(report, before) {
  const { commit, date, load, seconds } = before;
  return [
    "## Before and after",
    `Before: ${commit}, ${date}, ${load}, ${seconds} s. What one of the two runs did not measure is left out.`,
    changesOf(before.rows, report.rows),
  ];
}
