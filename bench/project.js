// @ts-check
import { spawnSync } from "node:child_process";

const PROBE_MS_MAX = 10_000;

/**
 * What a repository holds beside the request. Without a sandbox and with one reviewer, each commit is reviewed by
 * itself: what follows a push is measured by that.
 * @typedef {object} Project
 * @property {(place: import("./place.js").Place) => string} config lines of `.wisp/config.yaml` beside the engine
 * @property {Readonly<Record<string, string>>} files by their paths
 */

/** @type {Project} */
export const BARE_PROJECT = {
  config: () => "sandbox: none\nreview: { perCommit: 0 }\n",
  files: Object.fromEntries(
    ["docs", "performance", "security", "simplicity", "tests"].map((name) => [
      `.wisp/reviewers/${name}.md`,
      "---\nlevel: suggestion\nwhen: never\n---\n",
    ]),
  ),
};

/** Whether bubblewrap works here. */
export function isConfining() {
  const words = ["--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true"];
  return spawnSync("bwrap", words, { timeout: PROBE_MS_MAX }).status === 0;
}

/**
 * A project of as many tests, run by Node's own runner.
 * @param {number} tests
 * @returns {Project}
 */
export function tested(tests) {
  const one = (/** @type {unknown} */ _, /** @type {number} */ at) =>
    `test("it holds (${at + 1})", () => assert.equal(${at}, ${at}));\n`;
  const imports = 'import assert from "node:assert/strict";\nimport { test } from "node:test";\n\n';
  return {
    config: ({ notes }) =>
      [
        isConfining() ? `sandbox: { kind: bubblewrap, write: [${notes}] }` : "sandbox: none",
        'commands: { env: ["BENCH_*"] }',
        "verify: [node, --test]",
        "",
      ].join("\n"),
    files: { "test/all.test.mjs": imports + Array.from({ length: tests }, one).join("") },
  };
}
