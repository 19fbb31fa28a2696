import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import type { ProcessSession } from "../rig/process-session.ts";
import { engineSession } from "./engine-session.ts";
import { present } from "../../src/base/assert.ts";
import { ROLES, type Role } from "../../src/base/role.ts";
import type { Tokens } from "../../src/fs-protocol/records/turn-usage.ts";
import type { ModelServer } from "../rig/model-server.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";
import type { Installed } from "./installed.ts";
import { modelOf, SUMS } from "./model-mind.ts";
import { turnFor, turnsOf, type RecordedTurn } from "./turns-of.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

const VERIFY = `verify: [["node", "--test"]]\n`;

/** How a CLI reports the cost of a request; undefined if it does not. */
interface Tells {
  readonly costUsd: number | undefined;
  readonly tokens: Tokens | undefined;
  /** The model that answered; undefined if it is not reported. */
  readonly model: unknown;
}

const TOKENS: Tokens = { input: 1_000, output: 50, cached: 0 };
const TELLS: Readonly<Record<string, Tells>> = {
  claude: { costUsd: 0.005, tokens: TOKENS, model: expect.stringMatching(/^claude-/u) },
  codex: { costUsd: undefined, tokens: TOKENS, model: "gpt-5-codex" },
  copilot: { costUsd: undefined, tokens: undefined, model: "mock-model" },
  gemini: { costUsd: undefined, tokens: TOKENS, model: "gemini-2.5-flash" },
  opencode: { costUsd: 0.00375, tokens: TOKENS, model: undefined },
};

/** Which CLI plays which role. */
export type Cast = Readonly<Record<Role, Installed>>;

/** One CLI in all roles. */
export function alone(cli: Installed): Cast {
  return { planner: cli, builder: cli, reviewer: cli, tester: cli };
}

/**
 * From prose to a finished branch: planned, built, reviewed, fixed, looked at again and tested, by real CLIs in all
 * roles, whose models read the request in each turn.
 */
export function itFinishesARequest(
  title: string,
  cast: Cast,
  { sandbox = "none", isOneByOne = false }: WholeSession = {},
): void {
  test(title, async () => {
    const clis = [...new Set(ROLES.map((role) => cast[role]))];
    const read = new Set<string>();
    const config = isOneByOne ? `${VERIFY}review: { perCommit: 0, batch: 1 }\n` : VERIFY;
    const engines = clis.map(
      (cli) => [cli, modelOf(cli, SUMS, (kind) => read.add(`${cli}: ${kind}`))] as const,
    );
    await using run = await engineSession({ engines, cast, config, sandbox });
    const { session } = run;
    const ended = await session.wisp("start", "request.md", "--branch", "wisp/sums");
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
    expect(await homeIssues(session.home())).toEqual([]);
    expectBranch(session);
    expectFinding(session.home());
    const turns = turnsOf(session.home());
    const asked = turns.map(({ role, begin }) => `${cast[role]}: ${begin.purpose}`);
    const purposes = isOneByOne ? ["review-commit", ...PURPOSES] : PURPOSES;
    expect(new Set(turns.map(({ begin }) => begin.purpose))).toEqual(new Set(purposes));
    expect(turns.map(({ begin }) => begin.engine)).toEqual(turns.map(({ role }) => cast[role]));
    // The model takes the prompt of the final pass for another test.
    expect(read).toEqual(new Set(asked.map((word) => word.replace("final-test", "test"))));
    for (const [at, cli] of clis.entries()) {
      const own = turns.filter(({ role }) => cast[role] === cli);
      expectTurns(own, present(TELLS[cli], "it is known what it tells"), run.models[at]);
    }
    const built = turnFor(turns, "build").end.session;
    expect(turnFor(turns, "fix")).toMatchObject({
      begin: { resume: built },
      end: { session: built },
    });
  });
}

interface WholeSession {
  readonly sandbox?: Sandboxed;
  /** Each commit is reviewed by itself, and each reviewer has a turn of its own, several at the same time. */
  readonly isOneByOne?: boolean;
}

type Sandboxed = "none" | "bubblewrap";

/** The sandbox of sessions on this machine, or the reason why there is none. */
export async function sandboxHere(): Promise<{
  readonly sandbox: Sandboxed;
  readonly where: string;
}> {
  const bubblewrap = await workingBubblewrap();
  return "path" in bubblewrap
    ? { sandbox: "bubblewrap", where: "in bubblewrap" }
    : { sandbox: "none", where: `without a sandbox, since ${bubblewrap.reason}` };
}

/** Two tasks, and the fix as its own commit; nothing else has changed. */
export function expectBranch(session: ProcessSession): void {
  const subjects = session.git("log", "--reverse", "--format=%s", "main..wisp/sums").split("\n");
  expect(subjects).toEqual([
    "Add up two numbers",
    "Say how to add up",
    expect.stringMatching(/./u),
  ]);
  expect(session.git("show", "wisp/sums:src/sum.mjs")).toContain("a + b");
  expect(session.git("status", "--porcelain")).toBe("");
}

/** Found by a review, fixed, verified and closed. */
export function expectFinding(home: string): void {
  const { history, broken } = checkSession(home);
  expect(broken).toBeUndefined();
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  const [found, ...others] = [...history.reviewer.fold.items.values()];
  expect(others).toEqual([]);
  expect(found).toMatchObject({ file: "src/sum.mjs", line: 1, brief: "The sum subtracts" });
  const fixed = history.builder.records.filter(({ kind }) => kind === "fix.end");
  expect(fixed).toMatchObject([{ id: found?.id, outcome: "fixed" }]);
  const verified = history.reviewer.records.filter(({ kind }) => kind === "verify.end");
  expect(verified).toMatchObject([{ id: found?.id, verdict: "closed" }]);
}

const PURPOSES = [
  ...["plan", "build", "review-milestone"],
  ...["fix", "verify-fix", "test", "final-test"],
];

/** Each turn has a session on record and its own usage, which add up to all requests to the model. */
function expectTurns(
  turns: readonly RecordedTurn[],
  { costUsd, tokens, model: answers }: Tells,
  model: ModelServer | undefined,
): void {
  const requests = turns.map(({ end }) => {
    expect(end.outcome).toBe("ended");
    expect(end.session).toMatch(/.{8}/u);
    expect(end.model).toEqual(answers);
    const count = tokens === undefined ? 0 : (end.tokens?.input ?? 0) / tokens.input;
    expect(end.tokens).toEqual(tokens && times(tokens, count));
    expect(end.cost).toEqual(costUsd === undefined ? undefined : expect.closeTo(costUsd * count));
    return count;
  });
  const all = model?.asked.filter(({ isMain }) => isMain).length;
  if (tokens !== undefined) expect(requests.reduce((sum, count) => sum + count, 0)).toBe(all);
}

function times({ input, output, cached }: Tokens, count: number): Tokens {
  return { input: input * count, output: output * count, cached: cached * count };
}
