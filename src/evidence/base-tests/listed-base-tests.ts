import { BASE_TESTS_MAX, type BaseTests } from "../../fs-protocol/records/base-tests.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { FailedTests } from "../integrity/failed-tests.ts";
import type { SortedFailures } from "./sort-failures.ts";

/** At most this many names per entry, so that all entries fit into a record; the rest are counted. */
const NAMES_LISTED_MAX = 20;
const FILE_CHARS_MAX = 1_000;
const WHY_CHARS_MAX = 300;

/** The outcome of running the base tests; missing fields did not occur. */
export interface BaseTestsOutcome extends Partial<SortedFailures> {
  readonly unloaded?: { readonly names: readonly string[]; readonly why: string } | undefined;
  /** Why it is unknown which tests fail; "" if it is known. */
  readonly unclear?: string;
  /** What was not compared; "" if everything was. */
  readonly cut?: string;
}

/** The entries for the record, bugs first. Entries beyond the limit are counted in a last one. */
export function listedBaseTests({
  blamed = [],
  asked = [],
  dismissed = [],
  unloaded,
  unclear = "",
  cut = "",
}: BaseTestsOutcome): readonly BaseTests[] {
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

/** Notes for people about entries that block nothing but still matter. */
export function baseTestsNotes(all: readonly BaseTests[]): readonly string[] {
  return all.flatMap(({ what, names, why = "" }) => {
    if (what !== "unloaded" && what !== "unknown") return [];
    const named = names.length === 0 ? "" : ` (${names.join(", ")})`;
    const reason = why === "" ? "" : `: ${why}`;
    return what === "unloaded"
      ? [`tests of the session's base no longer load at its end${named}${reason}`]
      : [`it is not known whether the tests of the session's base pass at its end${reason}`];
  });
}
