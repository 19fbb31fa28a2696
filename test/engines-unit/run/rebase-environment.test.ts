import { expect, test } from "vitest";
import { rebaseEnvironment, rebaseWords } from "../../../src/engines/run/rebase-environment.ts";
import type { Replacement } from "../../../src/engines/run/in-checkout.ts";

const C = "/home/you/shop";
const T = "/state/verify/1/tree";
const THERE = ["", "/src", "/lib", "/bin", "/go.alt.mod", "/hook.js", "/my libs", "/.env.test"];

function replacement(fields: Partial<Replacement> = {}): Replacement {
  return {
    checkout: [C],
    folder: T,
    apart: [T],
    allowed: [],
    isThere: (path) => THERE.some((one) => path === `${T}${one}` || path === `${T}/`),
    realPath: (path) => path,
    ...fields,
  };
}

const valueOf = (value: string, fields: Partial<Replacement> = {}) =>
  rebaseEnvironment({ NAME: value }, replacement(fields))["NAME"];

test.each([
  ["a list keeps its order", `/a/bin:${C}/bin:/usr/bin`, `/a/bin:${T}/bin:/usr/bin`],
  ["what the commit has not is dropped", `${C}/.venv/bin:/usr/bin:`, "/usr/bin:"],
  ["an end slash and dots do not matter", `${C}/src/:${C}/lib/../src`, `${T}/src:${T}/src`],
  ["the checkout itself is the tree", C, T],
  ["a folder beside it with a longer name stays", `${C}-other/src`, `${C}-other/src`],
  ["a folder of the same name elsewhere stays", `/mnt${C}/src`, `/mnt${C}/src`],
  ["a path with a blank is one path", `${C}/my libs:/usr/lib`, `${T}/my libs:/usr/lib`],
  ["an address of a file", `file://${C}/hook.js`, `file://${T}/hook.js`],
  ["an escaped address of a file", `file://${C}/my%20libs`, `file://${T}/my%20libs`],
  ["an address of a database in a file", `sqlite:///${C}/.env.test`, `sqlite:///${T}/.env.test`],
  ["a short address of a file", `file:${C}/hook.js`, `file:${T}/hook.js`],
  ["an address with a host stays", `https://x.example${C}/src:80`, `https://x.example${C}/src:80`],
  [
    "a value of an option",
    `-mod=mod -modfile=${C}/go.alt.mod`,
    `-mod=mod -modfile=${T}/go.alt.mod`,
  ],
  ["an option with a letter", `-O2 -I${C}/lib -I/usr/x`, `-O2 -I${T}/lib -I/usr/x`],
  ["an option with its word", `--require ${C}/hook.js -v`, `--require ${T}/hook.js -v`],
  ["an option whose word is not there", `-v --require ${C}/none.js --trace`, "-v --trace"],
  ["an option with an address", `--import=file://${C}/hook.js`, `--import=file://${T}/hook.js`],
  ["a list in an option", `-Dpath=${C}/lib:/usr/lib`, `-Dpath=${T}/lib:/usr/lib`],
  ["an agent of Java that is not there", `-Xmx1g -javaagent:${C}/a.jar`, "-Xmx1g"],
])("%s", (_, value, rebased) => {
  expect(valueOf(value)).toBe(rebased);
});

test.each([
  ["an environment that only the checkout has", `${C}/.venv`],
  ["a list of which nothing is left", `${C}/a:${C}/b`],
  ["options of which nothing is left", `--require ${C}/none.js`],
  ["JSON that names the checkout", `{"root":"${C}/src"}`],
  ["a path that is not first among words", `run ${C}/src`],
])("%s is no variable any more", (_, value) => {
  expect(valueOf(value)).toBeUndefined();
});

test("a link into the checkout counts as its target, also where the rest of the path is missing", () => {
  const realPath = (path: string) => {
    if (path === "/links/shop") return C;
    return path === "/links/shop/src" ? `${C}/src` : undefined;
  };
  expect(valueOf("/links/shop/src:/links/shop/none:/usr/bin", { realPath })).toBe(
    `${T}/src:/usr/bin`,
  );
});

test("a checkout that is reached by a link counts by both of its paths", () => {
  const checkout = ["/links/shop", C];
  expect(valueOf(`/links/shop/src:${C}/lib`, { checkout })).toBe(`${T}/src:${T}/lib`);
});

test("a checkout with a colon or a blank in its path is found", () => {
  for (const path of ["/home/you/a:b", "/home/you/a b"]) {
    expect(valueOf(`${path}/src`, { checkout: [path] })).toBe(`${T}/src`);
    expect(valueOf(`${path}/none`, { checkout: [path] })).toBeUndefined();
  }
  expect(valueOf("/home/you/a b/none x/bin:/usr/bin", { checkout: ["/home/you/a b"] })).toBe(
    "/usr/bin",
  );
});

test("wisp's state in the checkout stays, and so does what the settings allow unless the commit has it", () => {
  const fields = { apart: [`${C}/.state`], allowed: [`${C}/data`, `${C}/lib`] };
  expect(valueOf(`${C}/.state/x:${C}/data/y:${C}/lib:${C}/z`, fields)).toBe(
    `${C}/.state/x:${C}/data/y:${T}/lib`,
  );
  expect(valueOf(`{"cache":"${C}/.state/x"}`, fields)).toBe(`{"cache":"${C}/.state/x"}`);
});

test("a home stays where it is, and what has no path is not touched", () => {
  const env = { HOME: C, LANG: "C.UTF-8", EMPTY: "", OWN: `${C}/.own` };
  expect(rebaseEnvironment(env, replacement(), (name) => name === "OWN")).toEqual(env);
});

test("words of a command name the tree's files, whether or not they are there", () => {
  const words = ["sh", `${C}/none.sh`, `--config=${C}/lib`, "-c", `cd ${C} && ls '${C}/src'`, C];
  expect(rebaseWords(words, replacement())).toEqual([
    ...["sh", `${T}/none.sh`, `--config=${T}/lib`, "-c", `cd ${T} && ls '${T}/src'`, T],
  ]);
  const others = [`${C}-other/x`, `/mnt${C}/x`, "plain", `${C}/data/x`];
  expect(rebaseWords(others, replacement({ allowed: [`${C}/data`] }))).toEqual(others);
});
