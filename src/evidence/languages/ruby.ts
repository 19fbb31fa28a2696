import { readMinitest, readRspec, readTestUnit } from "../printed/ruby-and-php.ts";
import { numberOf, totalsOfAll } from "../printed/totals.ts";
import { comment, DOUBLE, HASH, SINGLE, string, type BareCode } from "./bare-code.ts";
import { REGIONS_MAX, type Region, type TestLanguage } from "./test-language.ts";

const START =
  /^([ \t]*)(?:def[ \t]+(test_\w+[?!]?)|(?:RSpec\.)?([xf]?)(it|specify|test|describe|context|example|should)\b[ \t]*\(?[ \t]*([^\n]*))/gm;
const SKIP = /^[ \t]*(?:skip|pending)\b(?!\s*[=.])/m;
const SKIP_TAG = /,\s*(?::skip\b|:pending\b|(?:skip|pending):\s*(?!false))/;
const GROUPS = new Set(["describe", "context"]);

function regions({ code, text }: BareCode): readonly Region[] {
  return [...code.matchAll(START)].slice(0, REGIONS_MAX).flatMap((match): readonly Region[] => {
    const [all, indent = "", method, mark = "", word = "", rest = ""] = match;
    const start = match.index;
    if (method === undefined && !/\bdo\b|\{/.test(rest)) return [];
    const shown = text.slice(start + all.length - rest.length, start + all.length);
    const title =
      method ?? shown.replace(/\s*(?:\)?\s*do\b|\{).*$/, "").replace(/^["']|["']$/g, "");
    const end = endAfter(code, start + all.length, indent.length);
    const kind = GROUPS.has(word) ? "group" : "test";
    const isSkipped =
      mark === "x" ||
      SKIP_TAG.test(rest) ||
      (kind === "test" && SKIP.test(code.slice(start + all.length, end)));
    const isFocused = mark === "f" || /,\s*(?::focus\b|focus:\s*true)/.test(rest);
    return [{ kind, title, start, end, isSkipped, isFocused }];
  });
}

/** The offset after the `end` or brace that is indented no further than the beginning. */
function endAfter(code: string, from: number, indent: number): number {
  const line = /\n([ \t]*)(?:end\b|\})/g;
  line.lastIndex = from;
  for (let next = line.exec(code); next !== null; next = line.exec(code)) {
    if ((next[1] ?? "").length <= indent) return line.lastIndex;
  }
  return code.length;
}

/** Ruby, with minitest and RSpec. */
export const ruby: TestLanguage = {
  extensions: [".rb"],
  marks: {
    starts: /[=#<"']/g,
    rules: [
      comment(/(?<=^|\n)=begin[\s\S]*?(?:\n=end[^\n]*|$)/y),
      HASH,
      string(/<<[~-](['"]?)([A-Z_]\w*)\1[^\n]*\n[\s\S]*?(?:\n[ \t]*\2\b|$)/y),
      DOUBLE,
      SINGLE,
    ],
  },
  regions,
  excludesFile: undefined,
  checks: {
    assertion:
      /(?<![\w.:])(?:assert|refute)\w*|(?<![\w.:])expect\s*[({]|\.(?:must|wont)_\w+|\.should\b|(?<![\w.:])flunk\b/g,
    trivial:
      /\bassert\(?true\)?(?=\n|$)|\bassert_equal\(?(\d+|true),\1\)?(?=\n|$)|expect\(true\)\.to(?:eq\(true\)|be\(?true\)?|be_truthy)/gm,
    strict:
      /\bassert_(?:equal|same|raises)\b|\b(?:eq|eql|equal|match_array|contain_exactly)\b|\.must_equal\b/g,
    loose:
      /\bassert\b|\brefute_nil\b|\bassert_(?:includes|kind_of|respond_to)\b|\bbe_(?:truthy|present|a)\b|\binclude\b/g,
    helper: /^[ \t]*def[ \t]+(?:self\.)?(\w+)/gm,
    helperEnd: "next",
    loop: /\.(?:each\w*|times)\b/,
    definedBy: /def/,
    mayFail: undefined,
    isWritten: () => true,
  },
  testFiles: /_(?:test|spec)\.rb$/,
  mixedFiles: undefined,
  imports: undefined,
  settings: {
    whole: /\.rspec|\.simplecov|(?:spec|test|rails)_helper\.rb/,
    compared: /\.simplecov|(?:spec|test)_helper\.rb/,
    manifests: [],
    exclusions: undefined,
    thresholds: /minimum_coverage(?:_by_file)?/,
  },
  printed: {
    failing: [readRspec, readMinitest, readTestUnit],
    counts: [
      // RSpec: `8 examples, 5 failures, 2 pending, 1 error occurred outside of examples`
      {
        line: /^\d+ examples?, \d+ failures?\b/,
        totals: (line) => {
          const patterns = { failed: /(\d+) failures?\b/g, skipped: /(\d+) pending\b/g };
          const totals = totalsOfAll(line, { all: /(\d+) examples?,/g, ...patterns });
          return { ...totals, failed: numberOf(line, /(\d+) (?:failures?|errors? occurred)\b/g) };
        },
      },
      // minitest: `6 runs, 4 assertions, 3 failures, 1 errors, 1 skips`; test-unit: `5 tests, 3 assertions, …`
      {
        line: /^\d+ (?:runs|tests), \d+ assertions, \d+ failures, \d+ errors\b/,
        totals: (line) =>
          totalsOfAll(line, {
            all: /(\d+) (?:runs|tests),/g,
            failed: /(\d+) (?:failures|errors)\b/g,
            skipped: /(\d+) (?:skips|pendings|omissions)\b/g,
          }),
      },
    ],
    notLoaded: undefined,
    ofFile: /^\S*\.rb(?: \[.*\])?$/,
  },
  runners: [],
};
