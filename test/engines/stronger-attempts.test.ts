import { expect, test } from "vitest";
import { textAt } from "../../src/engines/events/json-value.ts";
import type { ModelServer, Said, Step } from "../rig/model-server.ts";
import { engineSession } from "./engine-session.ts";
import { HELLO, modelOf } from "./model-mind.ts";
import { BUILDER } from "./troubled-session.ts";
import { atItsLimit } from "./subscription-limit.ts";
import { holdsOf, turnsOf } from "./turns-of.ts";

const SMALL = "claude-haiku-4-5";
const LARGE = "claude-opus-4-6";
const LIST = [{ model: SMALL }, { model: LARGE }, { engine: "codex", model: "gpt-5" }];
const IDLE: Step = { text: '{"status":"DONE","summary":"I could not do it."}' };

/** The limit of one model of a subscription. */
const OPUS_ENDED = (seconds: number) => atItsLimit(seconds, "seven_day_opus");

/** The model of the newest request. */
function modelOfLast(server: ModelServer | undefined): string {
  const { body = "{}" } = server?.asked.at(-1) ?? {};
  return textAt(JSON.parse(body), "model") ?? "";
}

/** The models of the requests, each once for a row of the same. */
function modelsAsked(asked: readonly { readonly body: string; readonly isMain: boolean }[]) {
  const models = asked
    .filter(({ isMain }) => isMain)
    .map(({ body }) => textAt(JSON.parse(body), "model") ?? "");
  return models.filter((model, at) => model !== models[at - 1]);
}

test("claude builds with one model after the other, and then codex, as the list of attempts says", async () => {
  await using run = await engineSession({
    engines: [
      ["claude", () => IDLE],
      ["codex", modelOf("codex", HELLO)],
    ],
    isNamedOnly: true,
    ...BUILDER,
    config: `attempts: { build: ${JSON.stringify(LIST)} }\n`,
  });
  const { session, models } = run;
  const ended = await session.wisp("start", "request.md");
  expect({ ...ended, code: ended.code === 0 ? 0 : ended.stdout + ended.stderr }).toMatchObject({
    code: 0,
  });
  const builds = turnsOf(session.home()).filter(({ role }) => role === "builder");
  expect(builds.map(({ begin }) => [begin.engine, begin.model, begin.stalled ?? 0])).toEqual([
    ["claude", SMALL, 0],
    ["claude", LARGE, 1],
    ["codex", "gpt-5", 2],
  ]);
  const [claude, codex] = models;
  expect(modelsAsked(claude?.asked ?? [])).toEqual([
    expect.stringContaining(SMALL),
    expect.stringContaining(LARGE),
  ]);
  expect(modelsAsked(codex?.asked ?? [])).toEqual(["gpt-5"]);
  // The same engine goes on in its conversation, the other one knows nothing of it.
  expect(builds[1]?.begin.resume).toBe(builds[0]?.end.session);
  expect(builds[2]?.begin.resume).toBeUndefined();
  expect(builds[1]?.end.model).toContain(LARGE);
});

test("--engine and --model of a start come before the settings", async () => {
  const claude = (said: readonly Said[]) => modelOf("claude", HELLO)(said);
  await using run = await engineSession({
    engines: [
      ["claude", claude],
      ["codex", modelOf("codex", HELLO)],
    ],
    isNamedOnly: true,
    ...BUILDER,
    config: `attempts: { build: ${JSON.stringify(LIST)} }\n`,
  });
  const { session, models } = run;
  const words = ["--engine", "builder=codex", "--model", "builder=gpt-5"];
  const ended = await session.wisp("start", "request.md", ...words);
  expect({ ...ended, code: ended.code === 0 ? 0 : ended.stdout + ended.stderr }).toMatchObject({
    code: 0,
  });
  expect(models[0]?.asked).toEqual([]);
  expect(modelsAsked(models[1]?.asked ?? [])).toEqual(["gpt-5"]);
});

test("claude: while one model is at its limit, it goes on with the other, and no attempt is used", async () => {
  const seconds = Math.floor(Date.now() / 1_000) + 7_200;
  const build = modelOf("claude", HELLO);
  await using run = await engineSession({
    engines: [
      [
        "claude",
        (said) => (modelOfLast(run.models[0]).includes("opus") ? OPUS_ENDED(seconds) : build(said)),
      ],
    ],
    ...BUILDER,
    config: `attempts: { build: [{ model: ${LARGE} }, { model: ${SMALL} }] }\n`,
  });
  const { session } = run;
  Object.assign(session.env, {
    ANTHROPIC_API_KEY: undefined,
    CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-test",
  });
  const ended = await session.wisp("start", "request.md");
  expect({ ...ended, code: ended.code === 0 ? 0 : ended.stdout + ended.stderr }).toMatchObject({
    code: 0,
  });
  const turns = turnsOf(session.home()).filter(({ role }) => role === "builder");
  expect(
    turns.map(({ begin, end }) => [begin.engine, begin.model, begin.attempt, end.failure]),
  ).toEqual([
    ["claude", LARGE, 1, "limited"],
    ["claude", undefined, 1, undefined],
  ]);
  expect(holdsOf(session.home(), "builder")).toMatchObject([
    { engine: "claude", of: "model", model: LARGE, cause: "limited", end: "said" },
  ]);
  const { stdout } = await session.wisp("log");
  expect(stdout).toContain(`leaves claude with ${LARGE} alone until `);
});
