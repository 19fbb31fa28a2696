import type { BareCode } from "./bare-code.ts";
import { closings } from "./closings.ts";
import { REGIONS_MAX, type Region } from "./test-case.ts";

const CALL =
  /(?<![\w$.])(?:Deno\.)?([xf]?)(it|test|specify|describe|suite|context)((?:\s*\.\s*[A-Za-z]\w*)*)(?=\s*[(`<])/g;
const GROUPS = new Set(["describe", "suite", "context"]);
const SKIPS = /\.(?:skip|todo|fixme|skipIf|runIf|fails|failing)\b/;
const FOCUSES = /\.only\b/;
const SKIP_OPTION = /^[^{]{0,400}\{\s*(?:\w+\s*:[^{},]*,\s*)*(?:skip|todo)\s*:\s*(?!false\b)/;
const SKIP_INSIDE =
  /\b(?:t|ctx|context|this)\.(?:skip|todo)\s*\(|\b(?:test|it)\.(?:skip|fixme)\s*\((?!\s*["'`])|\bpending\s*\(\s*["')]/;

/** Tests and groups of the runners that are called `test`, `it`, `describe` and the like. */
export function javascriptRegions(bare: BareCode): readonly Region[] {
  const ends = closings(bare.code);
  return [...bare.code.matchAll(CALL)].slice(0, REGIONS_MAX).flatMap((call) => {
    const [matched, mark = "", name = "", chain = ""] = call;
    const open = argumentsAt(bare.code, call.index + matched.length, ends);
    if (open === undefined) return [];
    const end = (ends.get(open) ?? bare.code.length) + 1;
    const title = titleAt(bare.text, open + 1);
    const kind = GROUPS.has(name) ? "group" : "test";
    // `test.skip(condition)` inside a test skips that test; without a title it is none itself.
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

/** Where the arguments with the title begin: behind type arguments, and behind the table of `each`. */
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

/** A string, or the name of a class or function under test. */
function titleAt(text: string, from: number): string | undefined {
  TITLE.lastIndex = from;
  const [, double, single, template] = TITLE.exec(text) ?? [];
  const quoted = double ?? single ?? template;
  if (quoted !== undefined) return quoted;
  const [, name] = /^\s*([A-Za-z_$][\w$.]{0,100})\s*,/.exec(text.slice(from, from + 200)) ?? [];
  return name;
}
