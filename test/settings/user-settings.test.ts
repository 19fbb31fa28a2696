import { expect, test } from "vitest";
import { configProblemSentence } from "../../src/settings/config/config-problem.ts";
import { loadConfig } from "../../src/settings/config/load-config.ts";
import { loadUserSettings } from "../../src/settings/config/user-settings.ts";
import { blocksOf, documentOf } from "../rig/document.ts";

function problemsOf(
  loaded: ReturnType<typeof loadUserSettings | typeof loadConfig>,
): readonly string[] {
  return loaded.ok ? [] : loaded.failure.problems.map(configProblemSentence);
}

test("user settings say whether a repository's commands are listed or confirmed", () => {
  const rest = { executors: {}, filters: [] };
  expect(loadUserSettings(undefined)).toEqual({ ok: true, value: { trust: "list", ...rest } });
  expect(loadUserSettings("# trust: ask\n")).toMatchObject({ value: { trust: "list" } });
  expect(loadUserSettings("trust: ask\n")).toEqual({
    ok: true,
    value: { trust: "ask", ...rest },
  });
});

test("reports mistakes in user settings with their lines, and refuses keys of a repository's settings", () => {
  expect(problemsOf(loadUserSettings("trust: aks\n"))).toEqual([
    '1:8: trust: expected one of list, ask; found "aks"',
  ]);
  expect(problemsOf(loadUserSettings("engine: codex\n"))).toEqual([
    "1:1: unknown key engine. Known here: executors, filters, trust",
  ]);
});

const NAMES =
  "expected names of small letters, digits and hyphens, such as build-box, but not here, local, ssh, container, slurm " +
  "or sprites, which mean something without settings";

test.each([
  ["{ ssh: { kind: ssh, host: box } }", `1:14: executors: ${NAMES}; found "ssh"`],
  ["{ ssh: { host: box } }", `1:14: executors: ${NAMES}; found "ssh"`],
  ["{ Box: { kind: sprites } }", `1:14: executors: ${NAMES}; found "Box"`],
  [
    "{ box: { kind: shh } }",
    '1:27: executors.box.kind: expected ssh, container, slurm, sprites or command; found "shh"',
  ],
  [
    "{ box: {} }",
    "1:19: executors.box.kind: expected ssh, container, slurm, sprites or command; found nothing",
  ],
  [
    "{ box: 3 }",
    "1:19: executors.box: expected a mapping with a kind: ssh, container, slurm, sprites or command; found 3",
  ],
  [
    "{ box: { kind: sprites, labels: { a b: c } } }",
    '1:46: executors.box.labels: expected names of letters, digits, dots and hyphens, at most 60; found "a b"',
  ],
])("says what is wrong with the executors %s", (executors, problem) => {
  expect(problemsOf(loadUserSettings(`executors: ${executors}\n`))).toEqual([problem]);
});

test("a repository's settings cannot set whether it is trusted", () => {
  expect(problemsOf(loadConfig("engine: codex\ntrust: list\n"))).toEqual([
    "2:8: trust: expected it in your own settings, ~/.config/wisp/config.yaml, not in a repository's; " +
      'found "list"',
  ]);
  expect(problemsOf(loadConfig("trsut: list\n"))).toEqual([expect.not.stringContaining("trust")]);
});

test("docs/EXECUTORS.md has one example of the settings for each kind of executor", () => {
  const examples = blocksOf(documentOf("docs/EXECUTORS.md"), "yaml");
  const kinds = examples.flatMap((text) => {
    const loaded = loadUserSettings(text);
    expect(problemsOf(loaded)).toEqual([]);
    return loaded.ok ? Object.values(loaded.value.executors).map(({ kind }) => kind) : [];
  });
  expect(kinds).toEqual(["ssh", "container", "sprites", "command", "slurm"]);
});
