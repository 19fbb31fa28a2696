import { posix } from "node:path";
import { TEST_LANGUAGES, ofAnyLanguage } from "../languages/all-languages.ts";

/** What runs tasks in any language. */
const TASKS = /(?:gnu)?makefile|[\w.-]+\.mk|\.?justfile|taskfile\.ya?ml/;

/**
 * Settings of test runners, of what compiles for them and of what starts them, which can be as they stood
 * before without the rest of the project: put back whole, and taken away where there was none.
 */
const WHOLE = new RegExp(
  `^(?:[^]*/)?(?:${ofAnyLanguage(({ settings }) => settings.whole, [TASKS]).source})$`,
  "i",
);

/** Whether a path is, by its name, one of settings that steer how tests run, and of nothing else. */
export function isRunnerSettings(path: string): boolean {
  return WHOLE.test(path);
}

const MANIFESTS = TEST_LANGUAGES.flatMap(({ settings }) => settings.manifests);

function manifestNamed(path: string) {
  const name = posix.basename(path).toLowerCase();
  return MANIFESTS.find((manifest) => manifest.name === name);
}

/** Whether a file holds such settings beside other things: a manifest. */
export function isManifest(path: string): boolean {
  return manifestNamed(path) !== undefined;
}

/**
 * The text of a manifest after a range, with those of its settings that steer tests as they were before it;
 * what else the range did to it stays. Undefined: they are as they were, or the text cannot be read.
 *
 * @param before its text before the range; undefined: there was no such file
 */
export function withRunnerSettings(
  path: string,
  before: string | undefined,
  after: string,
): string | undefined {
  const restored = manifestNamed(path)?.restored(before, after) ?? after;
  return restored === after ? undefined : restored;
}
