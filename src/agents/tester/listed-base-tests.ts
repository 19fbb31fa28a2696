import { BASE_TESTS_MAX, type BaseTests } from "../../fs-protocol/records/base-tests.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { FailedTests } from "../integrity/test-findings.ts";
import type { SortedFailures } from "./sort-failures.ts";

/** Names of one entry; the rest is counted, so that all of them fit into a record. */
const NAMES_LISTED_MAX = 20;
const FILE_CHARS_MAX = 1_000;
const WHY_CHARS_MAX = 300;

/** All that came of running the base's tests; what is not there did not come of it. */
export interface ToList extends Partial<SortedFailures> {
  readonly unloaded?: { readonly names: readonly string[]; readonly why: string } | undefined;
  /** Why it could not be told what fails; "": it could. */
  readonly unclear?: string;
  /** What was not looked at; "": nothing. */
  readonly cut?: string;
}

/** What failed and what it means, as it is put on record: bugs first; what does not fit is counted in the last. */
export function listedBaseTests({
  blamed = [],
  asked = [],
  dismissed = [],
  unloaded,
  unclear = "",
  cut = "",
}: ToList): readonly BaseTests[] {
  const unknown = [unclear, cut].filter((why) => why !== "");
  const all = [
    ...blamed.map((tests) => entry("bug", tests)),
    ...dismissed.map((tests) => entry("dismissed", tests, tests.why)),
    ...asked.map((tests) => entry("asked", tests, tests.why)),
    ...(unloaded === undefined
      ? []
      : [entry("unloaded", { file: undefined, names: unloaded.names }, unloaded.why)]),
    ...unknown.map((why) => entry("unknown", { file: undefined, names: [] }, why)),
  ];
  if (all.length <= BASE_TESTS_MAX) return all;
  const why = `${String(all.length - BASE_TESTS_MAX + 1)} more are not listed`;
  return [...all.slice(0, BASE_TESTS_MAX - 1), { what: "unknown", names: [], why }];
}

function entry(what: BaseTests["what"], { file, names }: FailedTests, why = ""): BaseTests {
  const short = cleanText(why, { charsMax: WHY_CHARS_MAX, lines: "one" });
  const rest = names.length - NAMES_LISTED_MAX;
  return {
    what,
    ...(file !== undefined && file.length <= FILE_CHARS_MAX ? { file } : {}),
    names: names.slice(0, NAMES_LISTED_MAX),
    ...(rest > 0 ? { more: rest } : {}),
    ...(short === "" ? {} : { why: short }),
  };
}

/** What of it holds up nothing and has to be known all the same, for people. */
export function baseTestsNotes(all: readonly BaseTests[]): readonly string[] {
  return all.flatMap(({ what, names, why = "" }) => {
    if (what !== "unloaded" && what !== "unknown") return [];
    const named = names.length === 0 ? "" : ` (${names.join(", ")})`;
    const said = why === "" ? "" : `: ${why}`;
    return what === "unloaded"
      ? [`tests of the session's base no longer load at its end${named}${said}`]
      : [`it is not known whether the tests of the session's base pass at its end${said}`];
  });
}
