import { expect, test } from "vitest";
import { codexModel, ROLLOUT_BYTES_MAX } from "../../../src/engines/codex/codex-model.ts";
import { MemoryFiles } from "../../rig/memory-files.ts";

/** Begun on 22 November 2026, 22:23:38 UTC. */
const SESSION = "01a2055b-9676-7d20-83b0-39a3f614ac1d";
const NAME = `rollout-2026-11-22T22-23-38-${SESSION}.jsonl`;
const ENV: Readonly<Record<string, string>> = { HOME: "/srv/ada" };

function context(model: unknown): string {
  return JSON.stringify({ type: "turn_context", payload: { model, cwd: "/repo" } });
}

function modelIn(
  lines: readonly string[],
  { day = "2026/11/22", home = "/srv/ada/.codex", env = ENV } = {},
): string | undefined {
  const files = new MemoryFiles();
  files.write(`${home}/sessions/${day}/${NAME}`, `${lines.join("\n")}\n`);
  files.write(`${home}/sessions/${day}/rollout-2026-11-22T22-23-38-other.jsonl`, context("other"));
  return codexModel(files, env, SESSION);
}

test.each([
  ["that of the last turn", [context("gpt-a"), "{}", context("gpt-b"), "{}"], {}],
  ["found in the folder of the day before", [context("gpt-b")], { day: "2026/11/21" }],
  ["found in the folder of the day after", [context("gpt-b")], { day: "2026/11/23" }],
  [
    "found under CODEX_HOME",
    [context("gpt-b")],
    { home: "/srv/codex", env: { ...ENV, CODEX_HOME: "/srv/codex" } },
  ],
  [
    "not what a model wrote about it",
    [context("gpt-b"), JSON.stringify({ type: "response_item", payload: context("evil") })],
    {},
  ],
])("the model is %s", (_, lines, place) => {
  expect(modelIn(lines, place)).toBe("gpt-b");
});

test.each([
  ["a file without it", ["{}", "no JSON"], {}],
  ["a model that is not a text", [context(7)], {}],
  ["a folder of another day", [context("gpt-b")], { day: "2026/10/22" }],
  ["an unknown home", [context("gpt-b")], { env: {} }],
])("the model is unknown: %s", (_, lines, place) => {
  expect(modelIn(lines, place)).toBeUndefined();
});

test("reads no file for an id that is not one of codex's", () => {
  const files = new MemoryFiles();
  expect(codexModel(files, ENV, "../../../etc/passwd")).toBeUndefined();
  expect(codexModel(files, ENV, "s-1")).toBeUndefined();
});

test("reads only the end of a long session", () => {
  const filler = "x".repeat(1024 * 1024);
  const lines = [context("gpt-a"), ...Array.from({ length: 17 }, () => filler)];
  expect(lines.join("").length).toBeGreaterThan(ROLLOUT_BYTES_MAX);
  expect(modelIn(lines)).toBeUndefined();
  expect(modelIn([...lines, context("gpt-b"), "{}"])).toBe("gpt-b");
});
