import { posix } from "node:path";
import { go } from "./go.ts";
import { javascript } from "./javascript.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import type { TestLanguage } from "./test-language.ts";

/** The languages whose tests wisp knows. Of what fits several of them, the first counts. */
export const TEST_LANGUAGES: readonly TestLanguage[] = [javascript, python, go, rust, ruby];

const BY_EXTENSION: ReadonlyMap<string, TestLanguage> = new Map(
  TEST_LANGUAGES.flatMap((language) =>
    language.extensions.map((each) => [each, language] as const),
  ),
);

/** The language of a file by its name; undefined where its tests cannot be told. */
export function testLanguageOf(path: string): TestLanguage | undefined {
  return BY_EXTENSION.get(posix.extname(path).toLowerCase());
}

/**
 * One pattern for what any language says, and for what is common to all of them.
 *
 * @param partOf what a language says; undefined: nothing
 * @param common sources of further patterns
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

/** Whether tests may stand in a file beside the code. */
export function mayMixTestsAndCode(path: string): boolean {
  return MIXED_FILES.test(path);
}
