import type { BareCode } from "./bare-code.ts";
import { closings } from "./closings.ts";
import { REGIONS_MAX, type Region } from "./test-case.ts";
import type { TestLanguage } from "./test-language.ts";

/** Tests of languages whose tests are functions: found by name or attribute, ended by brace or indentation. */
export function blockRegions(bare: BareCode, language: TestLanguage): readonly Region[] {
  switch (language) {
    case "go":
      return goRegions(bare);
    case "rust":
      return rustRegions(bare);
    case "python":
      return pythonRegions(bare);
    case "ruby":
      return rubyRegions(bare);
    case "javascript":
      return [];
  }
}

const GO_TEST = /^func\s+((?:Test|Fuzz|Example)\w*)\s*\(/gm;
const GO_SKIP = /\b[tbf]\.Skip(?:f|Now)?\s*\(/;

function goRegions({ code }: BareCode): readonly Region[] {
  const ends = closings(code);
  return [...code.matchAll(GO_TEST)]
    .slice(0, REGIONS_MAX)
    .map(({ 0: matched, 1: title = "", index }) => {
      const end = endOfBraces(code, index + matched.length, ends);
      const isSkipped = GO_SKIP.test(code.slice(index, end));
      return { kind: "test", title, start: index, end, isSkipped, isFocused: false };
    });
}

const RUST_TEST =
  /((?:#\[[^\]\n]{0,300}\]\s{0,200}){0,9}#\[(?:\w+::){0,5}(?:test|rstest|test_case|proptest|wasm_bindgen_test)\b[^\]\n]{0,300}\]\s{0,200}(?:#\[[^\]\n]{0,300}\]\s{0,200}){0,9})(?:pub(?:\([^)\n]*\))?\s+)?(?:async\s+)?fn\s+(\w+)/g;
const RUST_SKIP = /#\[(?:ignore\b|cfg_attr\s*\([^\]\n]*\bignore\b)/;

function rustRegions({ code }: BareCode): readonly Region[] {
  const ends = closings(code);
  return [...code.matchAll(RUST_TEST)]
    .slice(0, REGIONS_MAX)
    .map(({ 0: all, 1: attributes = "", 2: title = "", index }) => {
      const end = endOfBraces(code, index + all.length, ends);
      const isSkipped = RUST_SKIP.test(attributes);
      return { kind: "test", title, start: index, end, isSkipped, isFocused: false };
    });
}

function endOfBraces(code: string, from: number, ends: ReadonlyMap<number, number>): number {
  const open = code.indexOf("{", from);
  return open === -1 ? code.length : (ends.get(open) ?? code.length - 1) + 1;
}

const PYTHON_DEF = /^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)/gm;
const PYTHON_SKIP =
  /@(?:pytest\.mark\.(?:skip|skipif|xfail)|(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure))\b|\bpytest\.(?:skip|xfail)\s*\(|\bself\.skipTest\s*\(|\bSkipTest\b/;
const PYTHON_MODULE_SKIP =
  /^pytestmark\s*=[^\n]*\bskip|^pytest\.skip\s*\(|^raise\s+(?:unittest\.)?SkipTest/m;

function pythonRegions({ code }: BareCode): readonly Region[] {
  const isModuleSkipped = PYTHON_MODULE_SKIP.test(code);
  return [...code.matchAll(PYTHON_DEF)]
    .slice(0, REGIONS_MAX)
    .flatMap((match): readonly Region[] => {
      const [all, indent = "", word, title = ""] = match;
      const isTest = word === "def" && /^test/i.test(title);
      if (!isTest && word !== "class") return [];
      const start = decoratorsBefore(code, match.index);
      const end = endOfIndented(code, match.index + all.length, indent.length);
      const looked = code.slice(start, isTest ? end : match.index);
      const isSkipped = isModuleSkipped || PYTHON_SKIP.test(looked);
      const kind = isTest ? "test" : "group";
      return [{ kind, title, start, end, isSkipped, isFocused: false }];
    });
}

const DECORATOR_LINES_MAX = 40;

/** Where the decorators of a definition begin, whose arguments may go over several lines. */
function decoratorsBefore(code: string, start: number): number {
  let first = start;
  let at = start;
  for (let lines = 0; at > 0 && lines < DECORATOR_LINES_MAX; lines++) {
    const begin = code.lastIndexOf("\n", at - 2) + 1;
    const line = code.slice(begin, at).trim();
    if (line === "" || /^(?:async\b|def\b|class\b|return\b)/.test(line)) break;
    if (line.startsWith("@")) first = begin;
    at = begin;
  }
  return first;
}

/** Up to the next line with something on it that is not further in. */
function endOfIndented(code: string, from: number, indent: number): number {
  // The line of the definition itself may go on over several, inside its parentheses.
  const line = /\n([ \t]*)(?=[^\s])(?![)\]}])/g;
  line.lastIndex = from;
  for (let next = line.exec(code); next !== null; next = line.exec(code)) {
    if ((next[1] ?? "").length <= indent) return next.index;
  }
  return code.length;
}

const RUBY_START =
  /^([ \t]*)(?:def[ \t]+(test_\w+[?!]?)|(?:RSpec\.)?([xf]?)(it|specify|test|describe|context|example|should)\b[ \t]*\(?[ \t]*([^\n]*))/gm;
const RUBY_SKIP = /^[ \t]*(?:skip|pending)\b(?!\s*[=.])/m;
const RUBY_SKIP_TAG = /,\s*(?::skip\b|:pending\b|(?:skip|pending):\s*(?!false))/;
const RUBY_GROUPS = new Set(["describe", "context"]);

function rubyRegions({ code, text }: BareCode): readonly Region[] {
  return [...code.matchAll(RUBY_START)]
    .slice(0, REGIONS_MAX)
    .flatMap((match): readonly Region[] => {
      const [all, indent = "", method, mark = "", word = "", rest = ""] = match;
      const start = match.index;
      if (method === undefined && !/\bdo\b|\{/.test(rest)) return [];
      const shown = text.slice(start + all.length - rest.length, start + all.length);
      const title =
        method ?? shown.replace(/\s*(?:\)?\s*do\b|\{).*$/, "").replace(/^["']|["']$/g, "");
      const end = endOfRuby(code, start + all.length, indent.length);
      const kind = RUBY_GROUPS.has(word) ? "group" : "test";
      const isSkipped =
        mark === "x" ||
        RUBY_SKIP_TAG.test(rest) ||
        (kind === "test" && RUBY_SKIP.test(code.slice(start + all.length, end)));
      const isFocused = mark === "f" || /,\s*(?::focus\b|focus:\s*true)/.test(rest);
      return [{ kind, title, start, end, isSkipped, isFocused }];
    });
}

/** After the `end` or brace that stands as far in as the beginning. */
function endOfRuby(code: string, from: number, indent: number): number {
  const line = /\n([ \t]*)(?:end\b|\})/g;
  line.lastIndex = from;
  for (let next = line.exec(code); next !== null; next = line.exec(code)) {
    if ((next[1] ?? "").length <= indent) return line.lastIndex;
  }
  return code.length;
}
