import { posix } from "node:path";
import { TEST_LANGUAGES, ofAnyLanguage } from "../languages/all-languages.ts";

/** Files of task runners for any language. */
const TASKS = /(?:gnu)?makefile|[\w.-]+\.mk|\.?justfile|taskfile\.ya?ml/;

/**
 * Settings of test runners, of their compilers and of what starts them. Such a file can be restored without the
 * rest of the project, or removed if it did not exist.
 */
const WHOLE = new RegExp(
  `^(?:[^]*/)?(?:${ofAnyLanguage(({ settings }) => settings.whole, [TASKS]).source})$`,
  "i",
);

/** Whether a file, judged by its name, steers how tests run and does nothing else. */
export function isRunnerSettings(path: string): boolean {
  return WHOLE.test(path);
}

const MANIFESTS = TEST_LANGUAGES.flatMap(({ settings }) => settings.manifests);

function manifestNamed(path: string) {
  const name = posix.basename(path).toLowerCase();
  return MANIFESTS.find((manifest) => manifest.name === name);
}

/** Whether a file is a manifest, which holds such settings among other things. */
export function isManifest(path: string): boolean {
  return manifestNamed(path) !== undefined;
}

/**
 * The text of a manifest after a range, with its former settings for tests; everything else that the range
 * changed stays. Undefined if these settings did not change or the text cannot be parsed.
 *
 * @param before its text before the range; undefined if there was no such file
 */
export function withRunnerSettings(
  path: string,
  before: string | undefined,
  after: string,
): string | undefined {
  const restored = manifestNamed(path)?.restored(before, after) ?? after;
  return restored === after ? undefined : restored;
}

/**
 * The text of a manifest after a range, in which the names of modules lead to the same files as before it; undefined if
 * that did not change or the text cannot be parsed.
 *
 * @param before its text before the range; undefined if there was no such file
 */
export function withFormerNames(
  path: string,
  before: string | undefined,
  after: string,
): string | undefined {
  const mapped = manifestNamed(path)?.mapped?.(before, after) ?? after;
  return mapped === after ? undefined : mapped;
}
