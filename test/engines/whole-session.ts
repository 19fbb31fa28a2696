import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import type { ProcessSession } from "../rig/process-session.ts";
import { engineSession } from "./engine-session.ts";
import type { Role } from "../../src/base/role.ts";
import type { Tokens } from "../../src/fs-protocol/turn-usage.ts";
import type { Installed } from "./installed.ts";
import { modelOf, SUMS, SUMS_PLAN } from "./model-mind.ts";
import { turnFor, turnsOf, type RecordedTurn } from "./turns-of.ts";

const VERIFY = `verify: [["node", "--test"]]\n`;

/** What a CLI tells of the price of a request; undefined: nothing. */
export interface Tells {
  readonly costUsd: number | undefined;
  readonly tokens: Tokens | undefined;
}

/** A request becomes a finished branch; all roles but these are played. */
export function itFinishesARequest(
  cli: Installed,
  {
    title,
    roles,
    tells,
    sandbox = "none",
    whyNot,
  }: {
    readonly title: string;
    readonly roles: readonly Role[];
    readonly tells: Tells;
    readonly sandbox?: string;
    /** Why it cannot be tried on this machine, where it cannot: it is skipped, and counted so. */
    readonly whyNot?: string | undefined;
  },
): void {
  test.skipIf(whyNot !== undefined)(
    whyNot === undefined ? title : `${title} (skipped: ${whyNot})`,
    async () => {
      const engines = [[cli, modelOf(cli, SUMS)]] as const;
      const scenario = `plan: (t) => t.plan(${JSON.stringify(SUMS_PLAN)}),`;
      await using run = await engineSession({ engines, roles, scenario, config: VERIFY, sandbox });
      const { session } = run;
      const ended = await session.wisp("start", "request.md", "--branch", "wisp/sums");
      expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
      expect(await homeIssues(session.home())).toEqual([]);
      expectBranch(session);
      expectFinding(session.home());
      const turns = turnsOf(session.home());
      expect(new Set(turns.map(({ begin }) => begin.purpose))).toEqual(new Set(PURPOSES));
      expectTurns(
        turns.filter(({ role }) => roles.includes(role)),
        tells,
      );
    },
  );
}

/** Two tasks, and the fix as a commit of its own; nothing else was touched. */
function expectBranch(session: ProcessSession): void {
  const subjects = session.git("log", "--reverse", "--format=%s", "main..wisp/sums").split("\n");
  expect(subjects).toEqual([
    "Add up two numbers",
    "Say how to add up",
    expect.stringMatching(/./u),
  ]);
  expect(session.git("show", "wisp/sums:src/sum.mjs")).toContain("a + b");
  expect(session.git("status", "--porcelain")).toBe("");
}

/** Seen by a review, fixed, looked at again, and closed. */
function expectFinding(home: string): void {
  const { history, broken } = checkSession(home);
  expect(broken).toBeUndefined();
  expect(history.builder.fold.done?.how).toBe("complete");
  const [found, ...others] = [...history.reviewer.fold.items.values()];
  expect(others).toEqual([]);
  expect(found).toMatchObject({ file: "src/sum.mjs", line: 1, brief: "The sum subtracts" });
  const fixed = history.builder.records.filter(({ kind }) => kind === "fix.end");
  expect(fixed).toMatchObject([{ id: found?.id, outcome: "fixed" }]);
  const verified = history.reviewer.records.filter(({ kind }) => kind === "verify.end");
  expect(verified).toMatchObject([{ id: found?.id, verdict: "closed" }]);
}

const PURPOSES = [
  ...["plan", "build", "review-commit", "review-milestone"],
  ...["fix", "verify-fix", "test", "final-test"],
];

/** Each has a session on record; a fix is made in that of its builder; what was used is that of the turn. */
function expectTurns(turns: readonly RecordedTurn[], { costUsd, tokens }: Tells): void {
  for (const { begin, end } of turns) {
    const requests = begin.purpose === "build" ? 3 : 2;
    expect(end.outcome).toBe("ended");
    expect(end.session).toMatch(/.{8}/u);
    expect(end.tokens).toEqual(tokens && times(tokens, requests));
    expect(end.cost).toEqual(
      costUsd === undefined ? undefined : expect.closeTo(costUsd * requests),
    );
  }
  const built = turnFor(turns, "build").end.session;
  expect(turnFor(turns, "fix")).toMatchObject({
    begin: { resume: built },
    end: { session: built },
  });
}

function times({ input, output, cached }: Tokens, count: number): Tokens {
  return { input: input * count, output: output * count, cached: cached * count };
}
