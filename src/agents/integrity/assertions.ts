import type { BareCode } from "./bare-code.ts";
import { closings } from "./closings.ts";
import type { TestLanguage } from "./test-language.ts";

/** How much a piece of code checks. */
export interface Checks {
  readonly assertions: number;
  readonly strict: number;
  readonly loose: number;
}

interface Words {
  readonly assertion: RegExp;
  /** Assertions that always hold; looked for in text without white space. */
  readonly trivial: RegExp;
  readonly strict: RegExp;
  readonly loose: RegExp;
  readonly helper: RegExp;
}

// Helpers from elsewhere are known by their names alone.
const NAMED = "(?:assert|expect|check|verify|require|must|ensure)[A-Z_]\\w*\\s*\\(";

const WORDS: Readonly<Record<TestLanguage, Words>> = {
  javascript: {
    assertion: new RegExp(
      `(?<![\\w$.])expect(?:\\.soft|\\.poll)?\\s*(?:<[^()]{0,80}>)?\\(|(?<![\\w$.])assert(?:\\.\\w+)*\\s*\\(|(?<![\\w$])t\\.(?:is|not|deepEqual|notDeepEqual|like|throws\\w*|true|false|truthy|falsy|regex|assert|equal|same|ok|match)\\s*\\(|\\.should\\b|(?<![\\w$.])${NAMED}`,
      "g",
    ),
    trivial:
      /expect\((true|false|null|\d+|"[^"]*"|'[^']*')\)\.(?:toBe|toEqual|toStrictEqual)\(\1\)|expect\((?:true|1)\)\.toBeTruthy\(\)|assert(?:\.ok)?\((?:true|1)[,)]|assert\.(?:equal|strictEqual|deepEqual)\((true|false|\d+),\2[,)]/g,
    strict:
      /\.(?:toBe|toEqual|toStrictEqual|toHaveLength|toMatchInlineSnapshot|toHaveBeenCalledWith|toHaveBeenCalledTimes|toThrowErrorMatchingInlineSnapshot|strictEqual|deepStrictEqual|deepEqual|equal|is|same)\s*\(/g,
    loose:
      /\.(?:toBeTruthy|toBeFalsy|toBeDefined|toBeInstanceOf|toMatchObject|toContain|toHaveBeenCalled|ok|truthy|falsy|match|doesNotThrow)\s*\(|\bexpect\.(?:any|anything|objectContaining|stringContaining|stringMatching)\b|(?<![\w$.])assert\s*\(/g,
    helper:
      /(?:\bfunction\s+(\w+)\s*\(|\b(?:const|let)\s+(\w+)\s*=\s*(?:async\s*)?(?:\(|function\b))/g,
  },
  python: {
    assertion: new RegExp(
      `(?<![\\w.])assert\\b|\\.assert\\w+\\s*\\(|\\bpytest\\.(?:raises|warns|approx|fail)\\s*\\(|(?<![\\w.])${NAMED}`,
      "g",
    ),
    trivial: /\bassert(?:True|1|\(True\))(?=\n|$|,)|\bassert(\d+)==\1(?!\d)|assertTrue\(True[,)]/gm,
    strict:
      /\bassert\b[^\n]*?(?:==|\bis\b(?!\s+not\b))|\.assert(?:Equal|ListEqual|DictEqual|Is|CountEqual|AlmostEqual|RaisesRegex|_called_with|_called_once_with)\w*\s*\(/g,
    loose:
      /\.assert(?:True|IsNotNone|In|IsInstance|Greater\w*|Less\w*|_called)\s*\(|\bassert\s+\w+[^\n=<>]*$|\bis\s+not\s+None\b|\bisinstance\s*\(/gm,
    helper: /^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)/gm,
  },
  go: {
    assertion: new RegExp(
      `\\b[tbf]\\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\\s*\\(|\\b(?:assert|require|is)\\.\\w+\\s*\\(|(?<![\\w.])${NAMED}`,
      "g",
    ),
    trivial: /\b(?:assert|require)\.True\(t,true[,)]|\b(?:assert|require)\.Equal\(t,(\d+),\1[,)]/g,
    strict: /\b(?:assert|require|is)\.(?:Equal\w*|Len|Exactly|JSONEq|ErrorIs|EqualError)\s*\(/g,
    loose:
      /\b(?:assert|require|is)\.(?:True|NotNil|NotEmpty|NoError|Error|Contains|NotPanics)\s*\(/g,
    helper: /^func\s+(?:\([^)\n]*\)\s*)?(\w+)\s*\(/gm,
  },
  rust: {
    assertion: new RegExp(
      `\\b(?:debug_)?assert(?:_\\w+)?!|\\bpanic!|\\bunreachable!|#\\[should_panic|(?<![\\w.])${NAMED}`,
      "g",
    ),
    trivial: /\bassert!\(true[,)]|\bassert_eq!\((\d+|true|false),\1[,)]/g,
    strict: /\bassert_eq!|\bassert_ne!/g,
    loose: /\bassert!/g,
    helper: /\bfn\s+(\w+)/g,
  },
  ruby: {
    assertion:
      /(?<![\w.:])(?:assert|refute)\w*|(?<![\w.:])expect\s*[({]|\.(?:must|wont)_\w+|\.should\b|(?<![\w.:])flunk\b/g,
    trivial:
      /\bassert\(?true\)?(?=\n|$)|\bassert_equal\(?(\d+|true),\1\)?(?=\n|$)|expect\(true\)\.to(?:eq\(true\)|be\(?true\)?|be_truthy)/gm,
    strict:
      /\bassert_(?:equal|same|raises)\b|\b(?:eq|eql|equal|match_array|contain_exactly)\b|\.must_equal\b/g,
    loose:
      /\bassert\b|\brefute_nil\b|\bassert_(?:includes|kind_of|respond_to)\b|\bbe_(?:truthy|present|a)\b|\binclude\b/g,
    helper: /^[ \t]*def[ \t]+(?:self\.)?(\w+)/gm,
  },
};

const LOOP =
  /\bfor\b|\bwhile\b|\.(?:forEach|map|each\w*|times|every|iter)\b|\beach\b|\bparametrize\b|\bt\.Run\b|\bsubTest\b|\btest_case\b|\brstest\b|\bfc\.(?:assert|property)\b/;

/** Whether code runs something for each of several cases. */
export function hasLoop(code: string): boolean {
  return LOOP.test(code);
}

/** What a part of a file checks by itself. */
export function checksIn(
  { code, text }: BareCode,
  { start, end }: { readonly start: number; readonly end: number },
  language: TestLanguage,
): Checks {
  const words = WORDS[language];
  const part = code.slice(start, end);
  // Line breaks stay: where a language has no other end of a statement they are one.
  const dense = text.slice(start, end).replace(/[^\S\n]+/g, "");
  const count = (pattern: RegExp, within: string) => within.match(pattern)?.length ?? 0;
  return {
    assertions: Math.max(0, count(words.assertion, part) - count(words.trivial, dense)),
    strict: count(words.strict, part),
    loose: count(words.loose, part),
  };
}

/** A piece of code without the assertions that always hold; the same text where there are none. */
export function withoutTrivial(text: string, language: TestLanguage): string {
  const dense = text.replace(/[^\S\n]+/g, "");
  const left = dense.replace(WORDS[language].trivial, "");
  return left === dense ? text : left;
}

const HELPERS_MAX = 500;

/** Functions of a file that check something: by name, what. Those that are tests are left out by the caller. */
export function helpersIn(bare: BareCode, language: TestLanguage): ReadonlyMap<string, Checks> {
  const ends = closings(bare.code);
  const found = [...bare.code.matchAll(WORDS[language].helper)].slice(0, HELPERS_MAX);
  const helpers = new Map<string, Checks>();
  for (const [index, match] of found.entries()) {
    const name = match[1] ?? match[2];
    if (name === undefined || /^test/i.test(name)) continue;
    const start = match.index + match[0].length;
    const brace = bare.code.indexOf("{", start);
    const next = found[index + 1]?.index ?? bare.code.length;
    const isBraced = language !== "python" && language !== "ruby" && brace !== -1 && brace < next;
    const end = isBraced ? (ends.get(brace) ?? next) : next;
    const checks = checksIn(bare, { start, end }, language);
    if (checks.assertions > 0) helpers.set(name, checks);
  }
  return helpers;
}
