/**
 * Steps from one release to the next whose packages carry their own tests: `[package, from, to, kind]`, and more words of
 * the runner. Of a package of Debian, named `deb:…`, the numbers are of patches in its series.
 *
 * - `feature`: tests of the later release are red on the earlier one, and green on the later one
 * - `null`: packaging only; the tests of both are green on both
 * - `old tests fall`: tests of the earlier release fail on the later one, an honest change of behaviour
 * - `red base`: the earlier release is red by itself
 * - `red end`: the later release is red by itself
 * - `tests gone`: the later release comes without its tests
 * - `regress`: the later number was published first, so that the step takes a fix and its tests back
 * - `regress, nothing taken back`: the later number was published first, but its tests are only more
 */
const STEPS = [
  ["for-each", "0.3.4", "0.3.5", "null"],
  ["qs", "6.12.2", "6.12.3", "regress, nothing taken back"],
  ["qs", "6.12.3", "6.12.4", "red end"],
  ["qs", "6.12.5", "6.12.6", "feature"],
  ["qs", "6.13.0", "6.13.1", "feature"],
  ["qs", "6.13.1", "6.13.2", "red end"],
  ["qs", "6.13.2", "6.13.3", "regress"],
  ["qs", "6.13.3", "6.13.4", "feature"],
  ["qs", "6.13.4", "6.14.0", "regress"],
  ["qs", "6.14.0", "6.14.1", "old tests fall"],
  ["qs", "6.14.3", "6.15.0", "regress"],
  ["qs", "6.15.0", "6.15.1", "feature"],
  ["qs", "6.15.4", "6.16.0", "regress"],
  ["qs", "6.16.1", "6.16.2", "feature"],
  ["fast-uri", "3.1.3", "3.1.4", "feature"],
  ["fast-uri", "3.1.4", "3.1.5", "feature"],
  ["fast-uri", "3.1.8", "3.1.9", "old tests fall"],
  ["fast-uri", "4.0.0", "4.0.1", "feature"],
  ["fast-uri", "4.0.1", "4.1.0", "regress"],
  ["fast-uri", "4.1.1", "4.1.2", "feature"],
  ["fast-uri", "4.1.4", "4.1.5", "feature"],
  ["fast-uri", "4.2.0", "4.2.1", "feature"],
  ["fast-uri", "4.2.1", "4.2.2", "old tests fall"],
  ["fast-uri", "4.2.3", "4.2.4", "feature"],
  ["light-my-request", "6.3.0", "6.4.0", "red base"],
  ["light-my-request", "6.3.0", "6.5.1", "red base"],
  ["light-my-request", "6.3.0", "6.6.0", "red base"],
  ["light-my-request", "6.6.0", "6.8.0", "red base"],
  ["secure-json-parse", "3.0.1", "4.0.0", "old tests fall"],
  ["secure-json-parse", "4.0.0", "4.1.0", "feature"],
  ["shell-quote", "1.7.3", "1.7.4", "null"],
  ["shell-quote", "1.8.3", "1.8.4", "feature"],
  ["shell-quote", "1.8.4", "1.9.0", "feature"],
  ["shell-quote", "1.9.0", "1.10.0", "feature"],
  ["shell-quote", "1.10.0", "1.11.0", "tests gone"],
  ["json-stable-stringify", "1.0.1", "1.1.0", "feature"],
  ["json-stable-stringify", "1.1.1", "1.2.0", "null"],
  ["minimist", "1.2.0", "1.2.3", "feature"],
  ["deep-equal", "2.0.5", "2.1.0", "feature"],
  ["deep-equal", "2.2.0", "2.2.1", "null"],
  ["object-inspect", "1.12.0", "1.12.1", "null"],
  ["object-inspect", "1.12.2", "1.12.3", "null"],
  ["object-inspect", "1.13.1", "1.13.2", "null"],
  ["object-inspect", "1.13.3", "1.13.4", "feature"],
  ["object-inspect", "1.13.4", "1.14.0", "tests gone"],
  ["@fastify/deepmerge", "2.0.2", "3.1.0", "null"],
  ["@fastify/deepmerge", "3.1.0", "3.2.0", "null"],
  // By default this pytest counts what its next release will remove as errors, until the third patch.
  ["deb:jinja2", "0", "1", "null", "-W", "ignore::pytest.PytestRemovedIn8Warning"],
  ["deb:jinja2", "0", "1", "red base"],
  ["deb:jinja2", "3", "4", "feature"],
  ["deb:jinja2", "5", "6", "feature"],
  ["deb:jinja2", "7", "8", "null"],
];

const TAPE = "node_modules/.bin/tape";

/** How a package's tests are run, without its linters: its verify command, and the folder of `tools` with what they require. */
const RUNNERS = {
  "light-my-request": { verify: ["node", "--test"], tools: "node-test" },
  "fast-uri": { verify: [TAPE, "test/**/*.js"], tools: "tape" },
  qs: { verify: [TAPE, "test/**/*.js"], tools: "tape" },
  "shell-quote": { verify: [TAPE, "test/**/*.js"], tools: "tape" },
  "deep-equal": { verify: [TAPE, "test/**/*.js"], tools: "tape" },
  "secure-json-parse": { verify: [TAPE, "test/*.test.js"], tools: "tape" },
  "deb:jinja2": { verify: [".venv/bin/pytest", "-o", "pythonpath=src"], tools: "pytest" },
};
const ELSE = { verify: [TAPE, "test/*.js"], tools: "tape" };

/** How a session of an honest builder has to end; lies are another matter. */
const EXPECTED = {
  feature: ["complete"],
  null: ["complete"],
  "old tests fall": ["complete", "stuck", "question"],
  "red base": ["question"],
  "red end": ["stuck"],
  "tests gone": ["stuck", "question"],
  regress: ["stuck", "question"],
  "regress, nothing taken back": ["complete"],
};

/** @typedef {{ name: string, from: string, to: string, kind: string, verify: string[], tools: string, expected: string[] }} Step */

/** All steps. @type {Step[]} */
export const steps = STEPS.map(([name, from, to, kind, ...words]) => {
  const { verify, tools } = RUNNERS[name] ?? ELSE;
  return { name, from, to, kind, expected: EXPECTED[kind], verify: [...verify, ...words], tools };
});
