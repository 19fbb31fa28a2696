import { expect, test } from "vitest";
import { codingCli } from "../../src/engines/coding-clis.ts";
import { checkSession } from "../rig/check-session.ts";
import type { ProcessSession } from "../rig/process-session.ts";
import type { Step } from "../rig/model-server.ts";
import { engineSession } from "./engine-session.ts";
import { nameOf, type Installed } from "./installed.ts";
import { HELLO, modelOf } from "./model-mind.ts";
import { holdsOf, turnsOf } from "./turns-of.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/** All roles but the builder are scripted. */
const HELLO_WORLD = `plan: (t) => t.plan("## Milestone: One\\n\\n- [ ] Say hello\\n"),`;
export const BUILDER = { roles: ["builder"], scenario: HELLO_WORLD } as const;

const REFUSED: Step = {
  ...{ status: 401, type: "authentication_error", message: "invalid api key" },
};
/** Answers all requests, until the script is replaced. */
export const LIMITED: Step = {
  ...{ status: 429, headers: { "retry-after": "2" } },
  ...{ type: "rate_limit_error", message: "This request would exceed your rate limit" },
};

/** A key is refused: at first nobody logs in, later somebody does. */
export function itSaysHowToLogIn(cli: Installed): void {
  test(`${cli}: a refused key exits with 4 and names what to run, and uses no attempt`, async () => {
    await using run = await engineSession({ engines: [[cli, [REFUSED]]], ...BUILDER });
    const { session, models } = run;
    const refused = await session.wisp("start", "request.md");
    expect(refused).toMatchObject({ code: 4 });
    expect(refused.stdout + refused.stderr).toContain(codingCli(nameOf(cli))?.login);
    expect(holdsOf(session.home(), "builder")).toMatchObject([{ engine: cli, cause: "auth" }]);

    models[0]?.script(modelOf(cli, HELLO));
    const ended = await session.wisp("up");
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
    expectOneAttempt(session);
  });
}

/** A limit; `how` the person behaves: some CLIs do not tell its end, so that wisp guesses a minute. */
export function itWaitsForALimit(cli: Installed, how: "waits" | "says resume"): void {
  test(`${cli}: a limit is recorded, and uses no attempt`, async () => {
    await using run = await engineSession({ engines: [[cli, [LIMITED]]], ...BUILDER });
    const { session, models } = run;
    const child = session.spawn("start", "request.md");
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await session.until("a hold", () => holdsOf(session.home(), "builder").length > 0);
    models[0]?.script(modelOf(cli, HELLO));
    if (how === "says resume") expect(await session.wisp("resume")).toMatchObject({ code: 0 });
    expect(await ended).toBe(0);
    expectOneAttempt(session);
    const [hold] = holdsOf(session.home(), "builder");
    expect(hold).toMatchObject({ engine: cli, cause: "limited" });
    const again = turnsOf(session.home()).filter(({ role }) => role === "builder")[1];
    if (how === "waits") expect(timeOf(again?.begin.time)).toBeGreaterThan(timeOf(hold?.until));
  });
}

export function timeOf(time: string | undefined): number {
  return Date.parse(time ?? "");
}

/** The milestone was built, by its first attempt, however often the engine was asked. */
export function expectOneAttempt(session: ProcessSession): void {
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  const built = turnsOf(session.home()).filter(({ role }) => role === "builder");
  expect(new Set(built.map(({ begin }) => begin.attempt))).toEqual(new Set([1]));
  const ends = history.builder.records.filter(({ kind }) => kind === "build.end");
  expect(ends).toMatchObject([{ outcome: "milestone" }]);
}
