import type { BaseTests } from "../../fs-protocol/records/base-tests.ts";
import { cleanText } from "../../base/words/clean-text.ts";

/** What is said above them. */
export const BASE_TESTS_TITLE = "Tests as they were at the base that do not pass any more";

const NAMES_MAX = 5;
const NAME_CHARS_MAX = 200;

const MEANS: Readonly<Record<BaseTests["what"], string>> = {
  bug: "a bug: the request does not ask for it",
  asked: "the request asks for it",
  dismissed: "dismissed by a person",
  unloaded: "they cannot be loaded any more, which says nothing of the code",
  unknown: "it is not known whether they pass",
};

/** How words that come from tests, files and models are shown. */
export interface ShownWords {
  readonly name: (text: string) => string;
  readonly sentence: (text: string) => string;
}

/** Each file's failing tests in a line, with who answers for them and in which words. */
export function baseTestsLines(
  all: readonly BaseTests[],
  shown: ShownWords = PLAIN,
): readonly string[] {
  return all.map(({ what, file, names, more = 0, why = "" }) => {
    const told = names.slice(0, NAMES_MAX).map(shown.name);
    const rest = names.length - told.length + more;
    const tests = [...told, ...(rest > 0 ? [`${String(rest)} more`] : [])].join(", ");
    const of = file === undefined ? "" : shown.name(file);
    const about = [of, tests].filter((text) => text !== "").join(": ");
    const said = why === "" ? "" : ` (${shown.sentence(why)})`;
    return `${about === "" ? "" : `${about}: `}${MEANS[what]}${said}`;
  });
}

function oneLine(text: string): string {
  return cleanText(text, { charsMax: NAME_CHARS_MAX, lines: "one" });
}

const PLAIN: ShownWords = { name: oneLine, sentence: oneLine };
