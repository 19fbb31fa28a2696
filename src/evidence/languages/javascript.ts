import { posix } from "node:path";
import { jsonOf } from "../../base/words/json-text.ts";
import {
  BLOCK,
  DOUBLE,
  SINGLE,
  SLASHES,
  string,
  type BareCode,
  type CodeMarks,
} from "./bare-code.ts";
import { closings } from "./brackets.ts";
import { javascriptPrinted, javascriptRunners } from "./javascript-runners.ts";
import { withFormerMap } from "./package-map.ts";
import {
  CHECKING_NAME,
  REGIONS_MAX,
  type CheckWords,
  type ImportReader,
  type Region,
  type TestLanguage,
  type TestSettings,
} from "./test-language.ts";

const marks: CodeMarks = {
  starts: /[/"'`]/g,
  rules: [
    SLASHES,
    BLOCK,
    DOUBLE,
    SINGLE,
    {
      kind: "string",
      endAt: (source, start) => (source[start] === "`" ? templateEnd(source, start) : start),
    },
    // A regular expression literal.
    string(
      /(?<=(?:^|[(,=:[!&|?{};+*%~^<>-]|\b(?:return|case|typeof|of|in))\s{0,40})\/(?![/*])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n]){0,300}\]|[^/\\\n[]){1,1000}\/[a-z]*/y,
    ),
  ],
};

/** The offset after a template literal, including nested templates in its expressions. */
function templateEnd(source: string, start: number): number {
  const stack: ("template" | "braces")[] = ["template"];
  const marks = /\\[\s\S]|`|\$\{|[{}]/g;
  marks.lastIndex = start + 1;
  for (let mark = marks.exec(source); mark !== null; mark = marks.exec(source)) {
    const inTemplate = stack.at(-1) === "template";
    if (mark[0] === "`" && inTemplate) stack.pop();
    else if (mark[0] === "`") stack.push("template");
    else if (mark[0] === "${" || (mark[0] === "{" && !inTemplate)) stack.push("braces");
    else if (mark[0] === "}" && !inTemplate) stack.pop();
    if (stack.length === 0) return marks.lastIndex;
  }
  return source.length;
}

const CALL =
  /(?<![\w$.])(?:Deno\.)?([xf]?)(it|test|specify|describe|suite|context)((?:\s*\.\s*[A-Za-z]\w*)*)(?=\s*[(`<])/g;
const GROUPS = new Set(["describe", "suite", "context"]);
const SKIPS = /\.(?:skip|todo|fixme|skipIf|runIf|fails|failing)\b/;
const FOCUSES = /\.only\b/;
const SKIP_OPTION = /^[^{]{0,400}\{\s*(?:\w+\s*:[^{},]*,\s*)*(?:skip|todo)\s*:\s*(?!false\b)/;
const SKIP_INSIDE =
  /\b(?:t|ctx|context|this)\.(?:skip|todo)\s*\(|\b(?:test|it)\.(?:skip|fixme)\s*\((?!\s*["'`])|\bpending\s*\(\s*["')]/;

/** Finds tests and groups of runners that name them `test`, `it`, `describe` and the like. */
function regions(bare: BareCode): readonly Region[] {
  const ends = closings(bare.code);
  return [...bare.code.matchAll(CALL)].slice(0, REGIONS_MAX).flatMap((call) => {
    const [matched, mark = "", name = "", chain = ""] = call;
    const open = argumentsAt(bare.code, call.index + matched.length, ends);
    if (open === undefined) return [];
    const end = (ends.get(open) ?? bare.code.length) + 1;
    const title = titleAt(bare.text, open + 1);
    const kind = GROUPS.has(name) ? "group" : "test";
    // `test.skip(condition)` inside a test skips that test. It has no title and is not a test itself.
    if (title === undefined) return [];
    const inside = bare.code.slice(open + 1, end);
    const isSkipped =
      mark === "x" ||
      SKIPS.test(chain.replace(/\s/g, "")) ||
      SKIP_OPTION.test(inside) ||
      (kind === "test" && SKIP_INSIDE.test(inside));
    const isFocused = mark === "f" || FOCUSES.test(chain.replace(/\s/g, ""));
    return [{ kind, title, start: call.index, end, isSkipped, isFocused }];
  });
}

/** Where the arguments with the title begin: after type arguments, and after the table of `each`. */
function argumentsAt(
  code: string,
  from: number,
  ends: ReadonlyMap<number, number>,
): number | undefined {
  let at = from;
  for (let groups = 0; groups < 2; groups++) {
    const ahead = /\s*(?:<[^()`]{0,300}>\s*)?([(`])/y;
    ahead.lastIndex = at;
    const opened = ahead.exec(code);
    if (opened === null) return undefined;
    const open = ahead.lastIndex - 1;
    const close = opened[1] === "`" ? code.indexOf("`", open + 1) : (ends.get(open) ?? -1);
    const next = /\s*([(`])/y;
    next.lastIndex = close + 1;
    const isTable = close !== -1 && groups === 0 && next.test(code);
    if (!isTable) return opened[1] === "(" ? open : undefined;
    at = close + 1;
  }
  return undefined;
}

const TITLE = /\s*(?:"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'|`((?:\\[\s\S]|[^`\\])*)`)/y;

/** The title: a string, or the name of a class or function under test. */
function titleAt(text: string, from: number): string | undefined {
  TITLE.lastIndex = from;
  const [, double, single, template] = TITLE.exec(text) ?? [];
  const quoted = double ?? single ?? template;
  if (quoted !== undefined) return quoted;
  const [, name] = /^\s*([A-Za-z_$][\w$.]{0,100})\s*,/.exec(text.slice(from, from + 200)) ?? [];
  return name;
}

const checks: CheckWords = {
  assertion: new RegExp(
    `(?<![\\w$.])expect(?:\\.soft|\\.poll)?\\s*(?:<[^()]{0,80}>)?\\(|(?<![\\w$.])(?:(?!console\\b)[\\w$]+\\.)?assert(?:\\.\\w+)*\\s*\\(|(?<![\\w$])s?t\\.(?:is|not|like|true|false|truthy|falsy|regex|assert|has|type|rejects|resolves|throws\\w*|\\w*(?:[eE]quals?|[sS]ame|[mM]atch|Throw|[oO]k|[eE]rror))\\s*\\(|\\.should\\b|(?<![\\w$.])${CHECKING_NAME}`,
    "g",
  ),
  trivial:
    /expect\((true|false|null|\d+|"[^"]*"|'[^']*')\)\.(?:toBe|toEqual|toStrictEqual)\(\1\)|expect\((?:true|1)\)\.toBeTruthy\(\)|assert(?:\.ok)?\((?:true|1)[,)]|t\.(?:ok|true)\((?:true|1)[,)]|assert\.(?:equal|strictEqual|deepEqual)\((true|false|\d+),\2[,)]/g,
  strict:
    /\.(?:toBe|toEqual|toStrictEqual|toHaveLength|toMatchInlineSnapshot|toHaveBeenCalledWith|toHaveBeenCalledTimes|toThrowErrorMatchingInlineSnapshot|strictEqual|deepStrictEqual|deepEqual|equal|is|same)\s*\(/g,
  loose:
    /\.(?:toBeTruthy|toBeFalsy|toBeDefined|toBeInstanceOf|toMatchObject|toContain|toHaveBeenCalled|ok|truthy|falsy|match|doesNotThrow)\s*\(|\bexpect\.(?:any|anything|objectContaining|stringContaining|stringMatching)\b|(?<![\w$.])assert\s*\(/g,
  helper:
    /(?:\bfunction\s+(\w+)\s*\(|\b(?:const|let)\s+(\w+)\s*=\s*(?:async\s*)?(?:\(|function\b))/g,
  helperEnd: "brace",
  loop: /\.(?:forEach|map|every)\b|\bfc\.(?:assert|property)\b/,
  definedBy: /function\*?|const|let|var/,
  mayFail: /(?:find|get)(?:All)?By|isDone|\.done\b|\bdone\s*\(|\bcy\.|\bpage\./,
  countsChecks: /["'](?:tape|tap)["']/,
  isWritten: (text) => /=>|\bfunction\b/.test(text),
};

const settings: TestSettings = {
  whole: joined(
    // Package managers and task runners for several packages.
    /\.npmrc|\.yarnrc(?:\.ya?ml)?|\.pnpmfile\.[cm]?js|pnpm-workspace\.ya?ml|bunfig\.toml/,
    /turbo\.jsonc?|nx\.json|project\.json|lerna\.json/,
    // Test runners and their compilers.
    /(?:vitest|vite|jest|karma|playwright|ava|cypress|mocha|wdio|web-test-runner|babel)(?:[.-][\w.-]*)?\.(?:[cm]?[jt]s|json)/,
    /\.(?:mocharc|nycrc|c8rc|taprc|babelrc|swcrc|jestrc)(?:\.\w+)?|[tj]sconfig(?:[.-][\w.-]+)?\.json/,
  ),
  compared:
    /package\.json|(?:vitest|vite|jest|karma|playwright|ava)[\w.-]*\.(?:[cm]?[jt]s|json)|\.nycrc(?:\.\w+)?|\.c8rc(?:\.\w+)?|\.mocharc\.\w+/,
  manifests: [{ name: "package.json", restored: inPackage, mapped: withFormerMap }],
  exclusions: /testPathIgnorePatterns|modulePathIgnorePatterns|--testPathIgnore|passWithNoTests/,
  thresholds: /check-coverage|coverageThreshold/,
};

function joined(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"));
}

const PACKAGE_FIELDS = ["ava", "c8", "jest", "mocha", "nyc", "tap", "vitest", "wireit", "nx"];

function inPackage(before: string | undefined, after: string): string {
  const [was, now] = [objectIn(before ?? "{}"), objectIn(after)];
  if (was === undefined || now === undefined) return after;
  const isSame = (key: string) => JSON.stringify(was[key]) === JSON.stringify(now[key]);
  if (PACKAGE_FIELDS.every(isSame)) return after;
  const rest = Object.entries(now).filter(([key]) => !PACKAGE_FIELDS.includes(key));
  const restored = PACKAGE_FIELDS.flatMap((key) =>
    was[key] === undefined ? [] : [[key, was[key]]],
  );
  return `${JSON.stringify(Object.fromEntries([...rest, ...restored]), undefined, 2)}\n`;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = jsonOf(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

const imports: ImportReader = {
  extensions: ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"],
  lines: `(from|import|require)[ \t(]*["'\`]`,
  modulesIn: (line) =>
    [...line.matchAll(/\b(?:from|import|require)\b[\s(]*["'`]([^"'`]+)["'`]/g)].map(
      ([, name = ""]) => name,
    ),
  placesOf,
  bindings: [/^\s*(?:import|const|let|var)\s+(.*?)\s*(?:=|\bfrom\b)/],
  named: /\bimport\s+(?<names>[\w\s{},*$]{1,2000}?)\s+from\s*["'](?<module>[^"'\n]+)["']/g,
  onlyOfTests:
    /\b(?:from|import|require)\b[\s(]*["'](?:vitest|@jest\/|jest|chai|sinon|node:test|mocha|ava|tap|expect|power-assert|should|@testing-library\/|fast-check|supertest)/,
  loadedByName: new Set(),
};

const ENDINGS = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "json", "vue"];

function placesOf(from: string, name: string): readonly (readonly string[])[] {
  if (name.startsWith(".")) return [filesAt(posix.join(posix.dirname(from), name))];
  // `@/x`, `~/x`, `src/x`: tried at the usual places, whatever the settings map them to.
  const rest = /^(?:[@~#]\/?|\/)?(.+)$/.exec(name)?.[1] ?? "";
  return rest.includes("/") ? [filesAt(rest), filesAt(posix.join("src", rest))] : [];
}

function filesAt(place: string): readonly string[] {
  const bare = place.replace(/\.[cm]?jsx?$/, "");
  const endings = ENDINGS.map((ending) => `.${ending}`);
  return [
    place,
    ...[".js", ".json", ...endings].map((ending) => place + ending),
    // TypeScript imports name the compiled file.
    ...(bare === place ? [] : endings.map((ending) => bare + ending)),
    ...endings.map((ending) => `${place}/index${ending}`),
  ];
}

/** JavaScript and TypeScript, with node's own runner, Vitest, Jest, Mocha and similar ones. */
export const javascript: TestLanguage = {
  extensions: [".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"],
  marks,
  regions,
  excludesFile: undefined,
  checks,
  testFiles: /\.(?:test|spec)\.[cm]?[jt]sx?$/,
  mixedFiles: undefined,
  imports,
  settings,
  printed: javascriptPrinted,
  runners: javascriptRunners,
};
