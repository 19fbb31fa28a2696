import type { BaseTests } from "../../fs-protocol/records/base-tests.ts";
import { cleanText } from "../../base/words/clean-text.ts";

/** The title above the list of these tests. */
export const BASE_TESTS_TITLE = "Tests from the base that no longer pass";

const NAMES_MAX = 5;
const NAME_CHARS_MAX = 200;

const MEANS: Readonly<Record<BaseTests["what"], string>> = {
  bug: "a bug: the request does not ask for it",
  asked: "the request asks for it",
  dismissed: "dismissed by a person",
  unloaded: "they can no longer be loaded, which says nothing about the code",
  unknown: "it is not known whether they pass",
};

/** How to show text that comes from tests, files and models. */
export interface ShownWords {
  readonly name: (text: string) => string;
  readonly sentence: (text: string) => string;
}

/** One line per file with its failing tests, what their failure means, and why. */
export function baseTestsLines(
  all: readonly BaseTests[],
  shown: ShownWords = PLAIN,
): readonly string[] {
  return all.map(({ what, file, names, more = 0, why = "" }) => {
    const listed = names.slice(0, NAMES_MAX).map(shown.name);
    const rest = names.length - listed.length + more;
    const tests = [...listed, ...(rest > 0 ? [`${String(rest)} more`] : [])].join(", ");
    const of = file === undefined ? "" : shown.name(file);
    const about = [of, tests].filter((text) => text !== "").join(": ");
    const reason = why === "" ? "" : ` (${shown.sentence(why)})`;
    return `${about === "" ? "" : `${about}: `}${MEANS[what]}${reason}`;
  });
}

function oneLine(text: string): string {
  return cleanText(text, { charsMax: NAME_CHARS_MAX, lines: "one" });
}

const PLAIN: ShownWords = { name: oneLine, sentence: oneLine };
