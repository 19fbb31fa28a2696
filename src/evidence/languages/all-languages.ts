import { posix } from "node:path";
import { go } from "./go.ts";
import { javascript } from "./javascript.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import type { TestLanguage } from "./test-language.ts";

/** The languages whose tests wisp knows. Where several match, the first wins. */
export const TEST_LANGUAGES: readonly TestLanguage[] = [javascript, python, go, rust, ruby];

const BY_EXTENSION: ReadonlyMap<string, TestLanguage> = new Map(
  TEST_LANGUAGES.flatMap((language) =>
    language.extensions.map((each) => [each, language] as const),
  ),
);

/** The language of a file, by its name; undefined if wisp does not know its tests. */
export function testLanguageOf(path: string): TestLanguage | undefined {
  return BY_EXTENSION.get(posix.extname(path).toLowerCase());
}

/**
 * Combines one pattern of each language, and patterns common to all, into one.
 *
 * @param partOf selects a language's pattern; undefined if it has none
 * @param common patterns that do not depend on a language
 */
export function ofAnyLanguage(
  partOf: (language: TestLanguage) => RegExp | undefined,
  common: readonly RegExp[] = [],
  flags = "",
): RegExp {
  const all = [...TEST_LANGUAGES.flatMap((language) => partOf(language) ?? []), ...common];
  return new RegExp(all.map(({ source }) => `(?:${source})`).join("|"), flags);
}

const MIXED_FILES = ofAnyLanguage(({ mixedFiles }) => mixedFiles);

/** Whether a file may contain tests together with code. */
export function mayMixTestsAndCode(path: string): boolean {
  return MIXED_FILES.test(path);
}
