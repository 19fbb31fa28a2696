import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { splitCommand } from "../../src/agents/tester/command-line.ts";
import { processSession, type ProcessSession } from "./process-session.ts";

/*
 * In every state of a session, `wisp status` names the next command. It is followed, and the new state is read,
 * until the session is complete or closed.
 */

/** This many commands lead from any state to the end. */
const STEPS_MAX = 6;

const Shown = z.object({ state: z.string(), stage: z.string(), next: z.array(z.string()) });
const Refused = z.object({ error: z.object({ code: z.string(), next: z.array(z.string()) }) });
const Seen = z.union([
  Shown,
  Refused.transform(({ error: { code, next } }) => ({ state: "refused", stage: code, next })),
]);
const Listed = z.object({
  sessions: z.array(z.object({ session: z.string(), state: z.string(), stage: z.string() })),
});

/** What `wisp status` says about a session; if it is refused, the next commands of the refusal. */
export async function look(session: ProcessSession, id: string): Promise<z.infer<typeof Seen>> {
  const { stdout } = await session.wisp("status", id, "--json");
  return Seen.parse(JSON.parse(stdout));
}

/** The records of a person and the roles: a command that changes none of them did nothing. */
function recordOf(session: ProcessSession, id: string): string {
  const logs = ["human", "planner", "builder", "reviewer", "tester"];
  const family = [id, ...[1, 2].map((number) => `${id}/revision-${String(number)}`)];
  return family
    .flatMap((one) => logs.map((log) => textOf(join(session.home(one), `logs/${log}.log`)).length))
    .concat(session.git("for-each-ref").length)
    .join();
}

/** A pipe in the place of a file is not read, because nobody writes to it. */
function textOf(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
    ? readFileSync(path, "utf8")
    : "";
}

/** A person's text for the placeholders of a command. */
const SAID = { "<your answer>": "8080", "<your reason>": "It is meant to be so" };

type Words = Readonly<Record<string, string>>;

async function follow(session: ProcessSession, command: string, words: Words): Promise<void> {
  const gaps = Object.entries({ ...SAID, ...words });
  const filled = gaps.reduce((text, [gap, word]) => text.replace(gap, word), command);
  const split = splitCommand(filled);
  if (!split.ok) throw new Error(`"${command}" is no command`);
  const [program, ...args] = split.value;
  if (program === "git") session.git(...args);
  else expect({ command, program }).toEqual({ command, program: "wisp" });
  if (program === "wisp") await session.wisp(...args);
}

interface Walk {
  /** The session to follow; by default that of the request. */
  readonly id?: string;
  /** What a person does besides following the commands. */
  readonly seesTo?: (session: ProcessSession) => void;
  /** The person's text, by the placeholder in the command. */
  readonly words?: Words;
}

/** `wisp list` shows the same state as `wisp status`, except for a session that cannot be read. */
async function expectListed(session: ProcessSession, id: string, seen: z.infer<typeof Seen>) {
  const { state, stage } = seen;
  if (state === "refused") return;
  const listed = await session.wisp("list", "--json");
  const { sessions } = Listed.parse(JSON.parse(listed.stdout));
  const row = sessions.find((one) => one.session === id);
  expect({ state: row?.state, stage: row?.stage }).toEqual({ state, stage });
}

/** Follows the first command of each status; returns the states and commands, the initial state first. */
export async function walk(
  session: ProcessSession,
  { id = "a-request", seesTo, words = {} }: Walk = {},
): Promise<readonly string[]> {
  const met: string[] = [];
  for (let step = 0; ; step++) {
    const seen = await look(session, id);
    const { state, stage, next } = seen;
    await expectListed(session, id, seen);
    met.push(`${state} (${stage})`);
    // Reviewing, shipping or merging finished work is a person's choice.
    const [command = ""] = next;
    const isAtEnd = command === "" || state === "TEARDOWN";
    if (isAtEnd || /^wisp (?:review|done) /u.test(command)) return met;
    expect({ met, isLong: step >= STEPS_MAX }).toEqual({ met, isLong: false });
    const before = recordOf(session, id);
    seesTo?.(session);
    met.push(command.replaceAll(session.repository, "."));
    await follow(session, command, words);
    await idle(session);
    // A repair records nothing, but changes the status.
    const isSame = JSON.stringify(await look(session, id)) === JSON.stringify(seen);
    const isIdle = isSame && recordOf(session, id) === before;
    expect({ stage, command, isIdle }).toEqual({ stage, command, isIdle: false });
  }
}

/** Waits until no process of the session is running. */
export async function idle(session: ProcessSession): Promise<void> {
  await session.until("the end of every process", () => session.leftovers().length === 0);
}

/** A planner of one task, and the lines of a builder that does it. */
export const PLAN = String.raw`plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),`;
export const BUILDS = String.raw`t.put("hello.txt", "hello\n"); t.commit("Say hello"); t.tick();`;

/** The file that says that a person has resolved the problem; wisp does not guard it. */
export const IS_SEEN_TO = String.raw`t.has(process.env.HOME + "/go")`;

/** A person resolves what a scenario waits for. */
export function seesTo(session: ProcessSession): void {
  session.write("../empty-home/go", "go\n");
}

/** A session that was started and whose processes have ended. */
export async function started(
  scenario: string,
  { config = "", args = [] }: { readonly config?: string; readonly args?: readonly string[] } = {},
): Promise<ProcessSession> {
  const session = processSession({ scenario, config });
  await session.wisp("start", "request.md", "--yes", ...args);
  await idle(session);
  return session;
}

/** A session whose builder works until a person has resolved the problem. */
const SLOW = `${PLAN} async build(t) { t.put("begun", ""); await t.until(() => ${IS_SEEN_TO}); t.git("rm", "-qf", "--ignore-unmatch", "begun"); ${BUILDS} },`;

/** A session whose builder is in its first turn until a person has resolved the problem. */
export async function atWork(
  config = "",
): Promise<ProcessSession & { readonly interrupt: () => Promise<void> }> {
  const session = processSession({ scenario: SLOW, config });
  const child = session.spawn("start", "request.md", "--yes");
  await session.until("the builder's turn", () =>
    session.read("logs/builder.log").includes("purpose=build"),
  );
  const interrupt = async () => {
    child.kill("SIGINT");
    await idle(session);
  };
  return { ...session, interrupt };
}

/** A session that was interrupted during the first turn of the builder. */
export async function interrupted(): Promise<ProcessSession> {
  const session = await atWork();
  await session.interrupt();
  return session;
}
