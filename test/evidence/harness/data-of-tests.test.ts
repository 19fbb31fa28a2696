import { expect, test } from "vitest";
import { mayBeData } from "../../../src/evidence/harness/data-of-tests.ts";
import { namesOnLine, PathNames } from "../../../src/evidence/harness/names-on-line.ts";
import { withFormerNames } from "../../../src/evidence/harness/runner-settings.ts";

const FILES = ["data/cases.json", "expected/eu/100.txt"];

test.each([
  ['readFileSync("data/cases.json")', ["data/cases.json"]],
  ['readFileSync("../data/cases.json")', ["data/cases.json"]],
  ['join(here, "..", "data", "cases.json")', ["data/cases.json"]],
  ["cat data/cases.json | ./tool", ["data/cases.json"]],
  ["`expected/${place}/${amount}.txt`", ["expected/eu/100.txt"]],
  ['f"expected/eu/{amount}.txt"', ["expected/eu/100.txt"]],
  ['os.path.join("expected", place)', ["expected/eu/100.txt"]],
  ['readdirSync("expected/eu")', ["expected/eu/100.txt"]],
  ['stream.on("data", all)', []],
  ['other("odd/cases.json")', []],
  ["import { cases } from './cases'", []],
])("%s names %j", (line, named) => {
  const known = new PathNames(FILES);
  const found = namesOnLine(line).flatMap((each) => known.meantBy(each));
  expect([...new Set(found)]).toEqual(named);
  if (named.length > 0) expect(line).toMatch(new RegExp(known.pattern));
});

test("a program is no data but where data of tests is kept", () => {
  const all = [
    ...["data/a.json", "fixtures/in.js", "expected/page.html", "words.txt"],
    ...["src/a.js", "tool", "page.html", "README.md", ".eslintrc.json", "yarn.lock"],
    "node_modules/a/a.json",
  ];
  expect(all.filter(mayBeData)).toEqual(all.slice(0, 4));
});

const restored = (before: object, after: object) => {
  const text = withFormerNames("package.json", JSON.stringify(before), JSON.stringify(after));
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  return value;
};

test("the names of modules lead where they led before; new ones stay", () => {
  const before = { name: "a", exports: { ".": "./a.js", "./b": "./b.js" } };
  const after = { name: "b", exports: { ".": "./c.js", "./d": "./d.js" } };
  expect(restored(before, after)).toEqual({
    name: "b",
    exports: { ".": "./a.js", "./b": "./b.js", "./d": "./d.js" },
  });
  expect(restored({ exports: "./a.js" }, { exports: { ".": "./a.js", "./b": "./b.js" } })).toBe(
    undefined,
  );
  expect(restored({ main: "a.js" }, { main: "a.js", exports: "./b.js" })).toEqual({ main: "a.js" });
  expect(restored({}, { imports: { "#a": "./a.js" } })).toBe(undefined);
  const order = { exports: { import: "./a.mjs", default: "./a.cjs" } };
  const other = { exports: { default: "./a.cjs", import: "./a.mjs" } };
  expect(restored(order, other)).toEqual(order);
  expect(restored({ name: "a" }, { name: "b" })).toBe(undefined);
  expect(withFormerNames("package.json", undefined, '{ "main": "a.js" }')).toBe(undefined);
  expect(withFormerNames("package.json", "{", '{ "main": "a.js" }')).toBe(undefined);
});
