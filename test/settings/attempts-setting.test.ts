import { expect, test } from "vitest";
import { policyOf } from "../../src/settings/config/session-policy.ts";
import { AttemptsSetting, listedAttempts } from "../../src/settings/schema/attempts-setting.ts";
import { Config } from "../../src/settings/schema/config-schema.ts";

const LIST = [{ model: "sonnet" }, { model: "opus" }, { model: "gpt-5", engine: "codex" }];

function problemsOf(build: unknown): readonly string[] {
  const parsed = AttemptsSetting.safeParse({ build });
  return parsed.success ? [] : parsed.error.issues.map(({ message }) => message);
}

test("the length of a list of build attempts is their number", () => {
  const config = Config.parse({ attempts: { build: LIST } });
  expect(policyOf(config, "plain").buildAttemptsMax).toBe(3);
  expect(listedAttempts(config.attempts)).toEqual(LIST);
});

test("a number of build attempts has them all made by the builder's own engine", () => {
  const config = Config.parse({ attempts: { build: 5 } });
  expect(policyOf(config, "plain").buildAttemptsMax).toBe(5);
  expect(listedAttempts(config.attempts)).toEqual([]);
  expect(policyOf(Config.parse({}), "plain").buildAttemptsMax).toBe(3);
});

test("an attempt names a model, an engine, or both", () => {
  expect(problemsOf([{ engine: "codex" }, { model: "opus" }])).toEqual([]);
  for (const wrong of [
    [],
    0,
    101,
    "3",
    [{}],
    [{ model: "" }],
    [{ engine: "auto" }],
    [{ modell: "x" }],
  ]) {
    expect(problemsOf(wrong)).toHaveLength(1);
  }
});
