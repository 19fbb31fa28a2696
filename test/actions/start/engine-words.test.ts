import { expect, test } from "vitest";
import { CannotGoOn } from "../../../src/base/fatal.ts";
import { passedWords } from "../../../src/actions/elsewhere/passed-words.ts";
import {
  checkEngineWords,
  engineArguments,
  withEngineWords,
  type EngineWords,
} from "../../../src/actions/start/engine-words.ts";
import { ROLES } from "../../../src/base/role.ts";
import { Config } from "../../../src/settings/schema/config-schema.ts";

const SETTINGS = {
  engine: "claude",
  roles: { builder: { model: "sonnet", args: ["--effort", "high"] }, tester: { engine: "gemini" } },
  attempts: { build: [{ model: "sonnet" }, { model: "opus" }] },
};

function merged(words: EngineWords, settings: object = SETTINGS): Config {
  const config = Config.parse(settings);
  const usual = (role: (typeof ROLES)[number]) => {
    const { engine = config.engine } = config.roles[role];
    return typeof engine === "string" ? engine : undefined;
  };
  return withEngineWords(config, words, usual);
}

/** What each role would run: `engine model`. */
function castOf(words: EngineWords): readonly string[] {
  const { engine: general, roles } = merged(words);
  return ROLES.map((role) => {
    const { engine = general, model = "-" } = roles[role];
    return `${role} ${JSON.stringify(engine).replaceAll('"', "")} ${model}`;
  });
}

test("without words, the settings are as they were", () => {
  expect(merged({})).toEqual(Config.parse(SETTINGS));
});

test("a name is for all roles, and one of a role comes before it, in any order", () => {
  const expected = ["planner codex m", "builder codex gpt", "reviewer claude m", "tester codex m"];
  expect(castOf({ engine: ["reviewer=claude", "codex"], model: ["m", "builder=gpt"] })).toEqual(
    expected,
  );
  expect(castOf({ engine: ["codex", "reviewer=claude"], model: ["builder=gpt", "m"] })).toEqual(
    expected,
  );
});

test("with another engine, the model, the arguments and the list of the settings are left out", () => {
  const { roles, attempts } = merged({ engine: ["codex"] });
  expect(roles.builder).toMatchObject({ engine: "codex", model: undefined, args: [] });
  expect(attempts.build).toBe(2);
});

test("with the engine that the settings choose anyway, all of it stays", () => {
  const { roles, attempts } = merged({ engine: ["builder=claude"] });
  expect(roles.builder).toMatchObject({ model: "sonnet", args: ["--effort", "high"] });
  expect(attempts.build).toEqual(SETTINGS.attempts.build);
});

test("a model of the builder makes every attempt, and leaves the other roles theirs", () => {
  const { roles, attempts } = merged({ model: ["builder=opus"] });
  expect(roles.builder).toMatchObject({ model: "opus", args: ["--effort", "high"] });
  expect(attempts.build).toBe(2);
  expect(roles.tester.model).toBeUndefined();
});

test.each([
  [{ engine: ["bulder=codex"] }, "--engine: there is no role bulder"],
  [{ model: ["builder="] }, "--model: it takes a name"],
  [{ engine: [""] }, "--engine: it takes a name"],
])("%j is refused", (words, says) => {
  expect(() => checkEngineWords(words)).toThrow(CannotGoOn);
  expect(() => checkEngineWords(words)).toThrow(says);
});

test("a model's name may have an equals sign of its own", () => {
  expect(merged({ model: ["proxy/Big=1"] }).roles.planner.model).toBe("proxy/Big=1");
});

test("the words become the same arguments again", () => {
  const words = { engine: ["codex", "reviewer=claude"], model: ["gpt"] };
  expect(engineArguments(words)).toEqual([
    "--engine",
    "codex",
    "--engine",
    "reviewer=claude",
    "--model",
    "gpt",
  ]);
  expect(engineArguments({})).toEqual([]);
  // They go to the wisp at a place, too.
  expect(passedWords({ ...words, strict: true })).toEqual(["--strict", ...engineArguments(words)]);
});
