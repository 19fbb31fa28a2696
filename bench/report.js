// @ts-check
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changesOf, limitsOf, ratioOf, tableOf } from "./table.js";

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
    tableOf(rows),
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
 * Writes the table and its samples beside this file, in the form in which the repository keeps its files.
 * @param {Report} report
 * @param {string} [before] the file with the report of another build, as JSON
 */
export async function writeResults(report, before) {
  /** @type {Report | undefined} */
  const earlier = before === undefined ? undefined : JSON.parse(readFileSync(before, "utf8"));
  const { format, resolveConfig } = await import("prettier");
  const markdown = join(import.meta.dirname, "RESULTS.md");
  const json = join(import.meta.dirname, "results.json");
  const options = await resolveConfig(markdown);
  const write = async (/** @type {string} */ path, /** @type {string} */ text) =>
    writeFileSync(path, await format(text, { ...options, filepath: path }));
  await write(markdown, resultsOf(report, earlier));
  await write(json, jsonOf(report));
}

/**
 * What RESULTS.md says.
 * @param {Report} report
 * @param {Report} [before] of another build, on the same machine
 */
export function resultsOf(report, before) {
  const { machine, load, seconds, commit, date, rows, explained, failures } = report;
  return [
    "# Results of the bench",
    `Written by \`npm run bench -- --results\`; every sample is in [results.json](results.json), and what is measured in [README.md](README.md).`,
    [`- Date: ${date}`, `- Commit: ${commit}`, `- Machine: ${machine}`, `- Load: ${load}`]
      .concat(`- Duration: ${seconds} s`)
      .join("\n"),
    "Medians, with the least and the greatest sample in parentheses.",
    tableOf(rows),
    ...(before === undefined ? [] : comparisonOf(report, before)),
    "## What limits each row",
    limitsOf(rows),
    "## Where time goes",
    ...explained.map(({ title, lines }) => `${title}:\n\n\`\`\`text\n${lines.join("\n")}\n\`\`\``),
    ...(failures.length > 0 ? ["## What failed", ...failures.map((each) => `- ${each}`)] : []),
    "",
  ].join("\n\n");
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
