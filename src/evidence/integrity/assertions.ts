import type { BareCode } from "../languages/bare-code.ts";
import { closings } from "../languages/brackets.ts";
import { ofAnyLanguage } from "../languages/all-languages.ts";
import type { CheckWords } from "../languages/test-language.ts";

/** How much a piece of code checks. */
export interface Checks {
  readonly assertions: number;
  readonly strict: number;
  readonly loose: number;
}

const LOOP = ofAnyLanguage(({ checks }) => checks.loop, [/\bfor\b/, /\bwhile\b/, /\beach\b/]);

/** Whether code contains a loop, and so may check several cases with one assertion. */
export function hasLoop(code: string): boolean {
  return LOOP.test(code);
}

/** The checks in a part of a file, without those of helpers that it calls. */
export function checksIn(
  { code, text }: BareCode,
  { start, end }: { readonly start: number; readonly end: number },
  words: CheckWords,
): Checks {
  const part = code.slice(start, end);
  // Line breaks stay, since some languages end statements with nothing else.
  const dense = text.slice(start, end).replace(/[^\S\n]+/g, "");
  const count = (pattern: RegExp, within: string) => within.match(pattern)?.length ?? 0;
  return {
    assertions: Math.max(0, count(words.assertion, part) - count(words.trivial, dense)),
    strict: count(words.strict, part),
    loose: count(words.loose, part),
  };
}

/** The code without assertions that always hold; unchanged if there are none. */
export function withoutTrivial(text: string, { trivial }: CheckWords): string {
  const dense = text.replace(/[^\S\n]+/g, "");
  const remaining = dense.replace(trivial, "");
  return remaining === dense ? text : remaining;
}

const HELPERS_MAX = 500;

/** Whether a file has no more functions than are looked at. */
export function hasAllHelpers({ code }: BareCode, { helper }: CheckWords): boolean {
  return [...code.matchAll(helper)].length <= HELPERS_MAX;
}

/** The functions of a file that check something, by name. Functions named like tests are skipped. */
export function helpersIn(bare: BareCode, words: CheckWords): ReadonlyMap<string, Checks> {
  const ends = closings(bare.code);
  const found = [...bare.code.matchAll(words.helper)].slice(0, HELPERS_MAX);
  const helpers = new Map<string, Checks>();
  for (const [index, match] of found.entries()) {
    const name = match[1] ?? match[2];
    if (name === undefined || /^test/i.test(name)) continue;
    const start = match.index + match[0].length;
    const brace = bare.code.indexOf("{", start);
    const next = found[index + 1]?.index ?? bare.code.length;
    const isBraced = words.helperEnd === "brace" && brace !== -1 && brace < next;
    const end = isBraced ? (ends.get(brace) ?? next) : next;
    const checks = checksIn(bare, { start, end }, words);
    if (checks.assertions > 0) helpers.set(name, checks);
  }
  return helpers;
}
