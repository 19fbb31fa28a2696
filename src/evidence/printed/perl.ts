import { readTap, UNNAMED } from "./tap.ts";
import { failedFile, type FailureReader, type TestIdentity } from "./test-identity.ts";

const FAILED = /^( *)# {3}Failed test(?: '(.*)')?(?: at (\S+) line \d+\.)?$/;
const PLACE = /^ *# {3}at (\S+) line \d+\.$/;
const SUMMARY = /^(\S+)\s+\(Wstat: .* Tests: \d+ Failed: (\d+)\)$/;

/**
 * Test::More and `prove`. What Test::More says of a failure arrives on another stream than the results, so it may
 * stand before or after them; `prove` without `-v` prints no results.
 */
export const readPerl: FailureReader = (lines) => {
  const said = saidIn(lines);
  const results = readTap(lines);
  const isSaid = (test: TestIdentity) => said.some(({ name }) => name === test.name);
  const all = [...said, ...results.filter((test) => !isSaid(test))];
  const seen = new Set(all.map(({ file }) => file));
  // `Parse errors`: the script died, so the tests after that did not run.
  const silent = lines.flatMap((line, at): readonly TestIdentity[] => {
    const [, file = ""] = SUMMARY.exec(line) ?? [];
    if (file === "") return [];
    const own = ownLines(lines, at);
    if (own.some((each) => each.startsWith("  Parse errors:"))) return [failedFile(file)];
    return seen.has(file) ? [] : numbersIn(own).map((name) => ({ file, path: [], name }));
  });
  return [...all, ...silent];
};

function saidIn(lines: readonly string[]): readonly TestIdentity[] {
  const found: (TestIdentity & { readonly indent: number })[] = [];
  lines.forEach((line, at) => {
    const [all, indent = "", name = UNNAMED, here] = FAILED.exec(line) ?? [];
    if (all === undefined) return;
    const file = here ?? PLACE.exec(lines[at + 1] ?? "")?.[1] ?? "";
    // A subtest fails after, and because of, the tests in it.
    const inside = found.splice(insideFrom(found, indent.length));
    const path = (test: TestIdentity) => ({ ...test, path: [name, ...test.path] });
    if (inside.length > 0)
      found.push(...inside.map((each) => ({ ...path(each), indent: indent.length })));
    else found.push({ file, path: [], name, indent: indent.length });
  });
  return found.map(({ file, path, name }) => ({ file, path, name }));
}

function insideFrom(found: readonly { readonly indent: number }[], indent: number): number {
  const last = found.findLastIndex((each) => each.indent <= indent);
  return last + 1;
}

function ownLines(lines: readonly string[], at: number): readonly string[] {
  const rest = lines.slice(at + 1, at + 20);
  const end = rest.findIndex((line) => !line.startsWith("  "));
  return end === -1 ? rest : rest.slice(0, end);
}

function numbersIn(own: readonly string[]): readonly string[] {
  const numbers = /^ {2}Failed tests?: {2}(.*)$/.exec(own[0] ?? "")?.[1]?.split(", ") ?? [];
  return numbers.map((number) => `test ${number}`);
}
