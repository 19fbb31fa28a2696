import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TurnOutcome } from "../../src/engines/engine.ts";
import { usedByRun } from "../../src/fs-protocol/records/turn-usage.ts";
import type { Step } from "../rig/model-server.ts";
import { driverOf } from "./cli-drivers.ts";
import { Drive } from "./drive.ts";
import type { Installed } from "./installed.ts";

const COMMIT = "echo one > one.txt && git add one.txt && git commit --quiet --message 'Add one'";

/** Prompts that exceed the limit of an argument (128 KiB). */
const LONG = "Read this. ".repeat(20_000);

/** The usage of each of the two turns below; nothing if the CLI does not report it. */
const USED: Readonly<Record<string, readonly unknown[]>> = {
  claude: [used(2, 0.01), used(1, 0.005)],
  "claude-old": [used(2, 0.0125), used(1, 0.00625)],
  codex: [used(2, undefined), used(1, undefined)],
  copilot: [undefined, undefined],
  gemini: [used(2, undefined), used(1, undefined)],
  opencode: [used(2, 0.0075), used(1, 0.00375)],
};

function longText(): unknown {
  return expect.stringMatching(/.{10}/u);
}

function used(requests: number, costUsd: number | undefined) {
  const tokens = { input: 1_000 * requests, output: 50 * requests, cached: 0 };
  const cost: unknown = costUsd === undefined ? undefined : expect.closeTo(costUsd, 8);
  return { tokens, costUsd: cost };
}

function usedBy(turn: TurnOutcome, first: TurnOutcome) {
  const before = turn === first ? undefined : { usage: first.usage };
  return turn.usage === undefined ? undefined : usedByRun(turn.usage, before);
}

/** A turn that commits and answers, and continues when it is resumed. */
export function itTakesTurns(cli: Installed): void {
  test(`${cli}: reports answer, session and usage of a turn that commits, and resumes it`, async () => {
    const done = { text: `All is done.\n{"status":"CONTINUE","summary":"one of two"}` };
    await using drive = await Drive.start(cli, [Drive.shell(cli, COMMIT), done]);
    const outcome = await drive.turn({ prompt: `${LONG} The end of the prompt.` });
    expect(outcome).toMatchObject({
      kind: "ended",
      status: "CONTINUE",
      summary: "one of two",
      text: done.text,
      session: longText(),
    });
    expect(drive.git("log", "-1", "--format=%s")).toBe("Add one");
    expect(drive.model.asked.some(({ body }) => body.includes("The end of the prompt."))).toBe(
      true,
    );
    expect(drive.events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["text", "tool-call", "tool-result", "result"]),
    );
    expect(readdirSync(join(drive.directory, "tmp"))).toEqual([]);

    drive.model.script([{ text: "I went on." }]);
    const resume = { session: outcome.session ?? "" };
    const resumed = await drive.turn({ prompt: "Go on.", resume });
    expect(resumed).toMatchObject({ kind: "ended", text: "I went on." });
    expect(resumed.session).toBe(outcome.session);
    expect(drive.model.asked.at(-1)?.body).toContain("All is done.");
    expect([outcome, resumed].map((each) => usedBy(each, outcome))).toEqual(USED[cli]);
  });
}

/** The time limit for a CLI that retries for very long, silently or only on standard error. */
const STUBBORN = { idleTimeoutMs: 30_000, timeoutMs: 45_000 } as const;
const PATIENT = { idleTimeoutMs: 300_000, timeoutMs: 600_000 } as const;

interface Refusal {
  readonly title: string;
  readonly step: Step;
  /** The turn's failure, by CLI if it differs: those that retry silently only hang. */
  readonly failure: Readonly<Record<string, RegExp>> & { readonly all: RegExp };
  /** CLIs that do not give up by themselves. */
  readonly stubborn: readonly string[];
  /** Only for these CLIs; the others are covered by whole sessions. */
  readonly only?: readonly string[];
}

const REFUSALS: readonly Refusal[] = [
  {
    title: "429 is a limit",
    step: {
      ...{ status: 429, headers: { "retry-after": "1" } },
      ...{ type: "rate_limit_error", message: "Rate limit" },
    },
    failure: { all: /^limited$/u },
    stubborn: ["gemini"],
    only: ["gemini"],
  },
  {
    title: "503 is an overloaded provider",
    step: { status: 503, message: "Overloaded" },
    failure: { all: /^overloaded$/u },
    stubborn: ["gemini", "opencode"],
  },
];

/** Failures that are not the work's fault have classes of their own. */
export function itTellsFailuresApart(cli: Installed): void {
  for (const { title, step, failure, stubborn, only = [cli] } of REFUSALS) {
    if (!only.includes(cli)) continue;
    test(`${cli}: ${title}`, async () => {
      await using drive = await Drive.start(cli, [step]);
      const outcome = await drive.turn(...patience(stubborn.includes(cli)));
      expect(failureOf(outcome)).toMatch(failure[cli] ?? failure.all);
    });
  }

  test(`${cli}: an unreachable provider is not reported as a crash`, async () => {
    await using drive = await Drive.start(cli, [{ text: "x" }]);
    await drive.model[Symbol.asyncDispose]();
    const outcome = await drive.turn(...patience(true));
    // It retries silently; sometimes it gives up in time.
    expect(failureOf(outcome)).toMatch(cli === "opencode" ? /^(?:hang|network)$/u : /^network$/u);
  });

  test(`${cli}: an unknown session is a failure of its own`, async () => {
    await using drive = await Drive.start(cli, [{ text: "hello" }]);
    const session =
      cli === "opencode" ? "ses_0000000000000000000000000" : "99999999-2222-4333-8444-555555555555";
    expect(failureOf(await drive.turn({ resume: { session } }))).toBe("no-session");
  });
}

/** The fields that the schema always requires. */
const NULLS = { error: null, divergence: null };

/** The CLI's own way to make an answer follow a schema. */
export function itBindsItsWord(cli: Installed): void {
  test(`${cli}: the CLI itself makes the last message of a build turn follow the schema`, async () => {
    const word = { status: "NEEDS_INPUT", summary: "s", question: "Which port?", ...NULLS };
    const call = driverOf(cli).word?.(word);
    const step = call === undefined ? { text: JSON.stringify(word) } : { tools: [call] };
    await using drive = await Drive.start(cli, [step, { text: "There is more to say." }]);
    const outcome = await drive.turn({ purpose: "build" });
    expect(outcome).toMatchObject({ kind: "needs-input", question: "Which port?" });
    expect(drive.model.asked[0]?.body).toContain("With NEEDS_INPUT: the question.");

    const resume = { session: outcome.session ?? "" };
    drive.model.script([step]);
    expect(await drive.turn({ purpose: "build", prompt: "8080.", resume })).toMatchObject({
      kind: "needs-input",
    });
  });
}

/** Turns that are cut off, silent or stopped: no process remains, and the session can be resumed. */
export function itEndsCleanly(cli: Installed): void {
  test(`${cli}: the CLI itself retries an answer that was cut off`, async () => {
    await using drive = await Drive.start(cli, [{ text: "x", isCut: true }, { text: "Here." }]);
    expect(await drive.turn()).toMatchObject({ kind: "ended", text: "Here." });
  });

  test(`${cli}: a model that does not answer is reported as a hang`, async () => {
    await using drive = await Drive.start(cli, [{ hangs: true }]);
    expect(failureOf(await drive.turn({}, { idleTimeoutMs: 12_000 }))).toBe("hang");
    expect(drive.leftovers()).toEqual([]);
  });

  test(`${cli}: a turn stopped during a tool call leaves no process, and its session can be resumed`, async () => {
    const slow = Drive.shell(cli, "echo one > one.txt; sleep 300; echo two > two.txt");
    await using drive = await Drive.start(cli, [slow, { text: "never" }]);
    const stop = new AbortController();
    const turn = drive.turn({ signal: stop.signal });
    await drive.untilFile("one.txt");
    stop.abort();
    const outcome = await turn;
    expect(outcome).toMatchObject({ kind: "stopped" });
    expect(drive.leftovers()).toEqual([]);

    drive.model.script([{ text: "resumed and finished" }]);
    // opencode reports a call when it has ended, so this call was not reported: a new session starts.
    const resume = outcome.session === undefined ? undefined : { session: outcome.session };
    const resumed = await drive.turn({ prompt: "continue", resume });
    expect(resumed).toMatchObject({ kind: "ended", text: "resumed and finished" });
    expect(existsSync(join(drive.clone, "two.txt"))).toBe(false);
  });
}

function patience(isStubborn: boolean) {
  const { idleTimeoutMs, timeoutMs } = isStubborn ? STUBBORN : PATIENT;
  return [{ timeoutMs }, { idleTimeoutMs }] as const;
}

function failureOf(outcome: TurnOutcome): string {
  return outcome.kind === "failed" ? (outcome.failure ?? "none") : outcome.kind;
}
