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
  const executors = {};
  expect(loadUserSettings(undefined)).toEqual({ ok: true, value: { trust: "list", executors } });
  expect(loadUserSettings("# trust: ask\n")).toMatchObject({ value: { trust: "list" } });
  expect(loadUserSettings("trust: ask\n")).toEqual({
    ok: true,
    value: { trust: "ask", executors },
  });
});

test("reports mistakes in user settings with their lines, and refuses keys of a repository's settings", () => {
  expect(problemsOf(loadUserSettings("trust: aks\n"))).toEqual([
    '1:8: trust: expected one of list, ask; found "aks"',
  ]);
  expect(problemsOf(loadUserSettings("engine: codex\n"))).toEqual([
    "1:1: unknown key engine. Known here: executors, trust",
  ]);
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
