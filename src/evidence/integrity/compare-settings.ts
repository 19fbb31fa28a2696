import { posix } from "node:path";
import { ofAnyLanguage } from "../languages/all-languages.ts";
import type { Texts } from "./compare-tests.ts";
import type { Tampering } from "./tampering.ts";
import { changedTestCommands, commandsIn } from "./test-commands.ts";

/** The names of the commands that verify calls, by the files that define them. */
export type CalledCommands = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Compares the settings of tests at both ends of a range: coverage thresholds, test scripts, exclusions. Reads
 * only files whose names identify them as settings; pure and total.
 */
export function compareSettings(
  before: Texts,
  after: Texts,
  called?: CalledCommands,
): readonly Tampering[] {
  return [...before].flatMap(([file, text]) => {
    if (!isSettings(file)) return [];
    const now = after.get(file) ?? "";
    return [
      ...loweredThresholds(file, text, now),
      ...addedExclusions(file, text, now),
      ...changedCommands(file, text, now, called?.get(file)),
    ];
  });
}

/** Compares the configured verify commands. */
export function compareCommands(
  file: string,
  before: readonly (readonly string[])[],
  after: readonly (readonly string[])[],
): readonly Tampering[] {
  const [one, other] = [before, after].map((argvs) =>
    argvs.map((argv) => argv.join(" ")).join("; "),
  );
  if (one === other) return [];
  return [{ kind: "command", file, line: 1, what: "verify", before: one, after: other }];
}

/** Compares the tests that the settings say may be red; their order does not matter. */
export function compareKnownRed(
  file: string,
  before: readonly string[],
  after: readonly string[],
): readonly Tampering[] {
  const [one, other] = [before, after].map((names) => [...names].sort().join(", "));
  if (one === other) return [];
  return [{ kind: "command", file, line: 1, what: "verify.knownRed", before: one, after: other }];
}

const SETTINGS = ofAnyLanguage(
  ({ settings }) => settings.compared,
  [/\.?codecov\.ya?ml|(?:gnu)?makefile|justfile/],
);
const SETTINGS_NAME = new RegExp(`^(?:${SETTINGS.source})$`, "i");

/** Whether a file may hold settings of tests, judged by its name. */
export function isSettings(path: string): boolean {
  return SETTINGS_NAME.test(posix.basename(path));
}

interface Threshold {
  readonly key: string;
  readonly number: number;
  readonly line: number;
}

const THRESHOLD = ofAnyLanguage(({ settings }) => settings.thresholds).source;
const ALWAYS = new RegExp(
  `\\b(${THRESHOLD})\\b["']?\\s*(?:[:=(]|\\s)\\s*(\\d{1,3}(?:\\.\\d+)?)`,
  "g",
);
/** These keys count only near a word that identifies the numbers as coverage. */
const NEAR = /\b(branches|functions|lines|statements)\b["']?\s*[:=]\s*(\d{1,3}(?:\.\d+)?)/g;
const NEAR_CHARS_MAX = 500;

function thresholdsIn(text: string): readonly Threshold[] {
  const near = [...text.matchAll(NEAR)].filter(({ index }) =>
    /threshold|coverage|nyc|c8/i.test(text.slice(Math.max(0, index - NEAR_CHARS_MAX), index)),
  );
  return [...text.matchAll(ALWAYS), ...near].map(({ 1: key = "", 2: digits = "", index }) => {
    return { key, number: Number(digits), line: lineAt(text, index) };
  });
}

function loweredThresholds(file: string, before: string, after: string): readonly Tampering[] {
  const now = thresholdsIn(after);
  const then = thresholdsIn(before);
  return [...new Set(then.map(({ key }) => key))].flatMap((key) => {
    // A file may have one threshold per package, so they are compared in order.
    const later = now.filter((other) => other.key === key);
    return then
      .filter((other) => other.key === key)
      .flatMap(({ number }, index): readonly Tampering[] => {
        const same = later[index];
        if (same !== undefined && same.number >= number) return [];
        const line = same?.line ?? 1;
        const numbers = { before: String(number), after: same && String(same.number) };
        return [{ kind: "threshold", file, line, what: key, ...numbers }];
      });
  });
}

const EXCLUSION = ofAnyLanguage(
  ({ settings }) => settings.exclusions,
  [/--exclude\b|continue-on-error|\|\|\s*true\b|\bexclude\s*:/],
);

/** New lines that exclude tests or ignore failures. */
function addedExclusions(file: string, before: string, after: string): readonly Tampering[] {
  const known = new Set(before.split("\n").map(dense));
  return after.split("\n").flatMap((text, index): readonly Tampering[] => {
    if (!EXCLUSION.test(text) || known.has(dense(text))) return [];
    return [{ kind: "narrowed", file, line: index + 1, what: text.trim().slice(0, 200) }];
  });
}

function dense(line: string): string {
  return line.replace(/[\s,]+/g, "").replace(/['`]/g, '"');
}

function changedCommands(
  file: string,
  before: string,
  after: string,
  called?: ReadonlySet<string>,
): readonly Tampering[] {
  const { changed, around } = changedTestCommands(file, before, after, called);
  const now = commandsIn(file, after);
  const was = new Map(changed);
  return [...was.keys(), ...around].map((name) => {
    const same = now.get(name);
    const line = same === undefined ? 1 : lineAt(after, Math.max(0, offsetOf(name, after)));
    return { kind: "command", file, line, what: name, before: was.get(name), after: same };
  });
}

/** The offset of a script, or of a recipe's rule. */
function offsetOf(name: string, text: string): number {
  const quoted = text.indexOf(JSON.stringify(name));
  return quoted === -1 ? `\n${text}`.indexOf(`\n${name}`) : quoted;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
