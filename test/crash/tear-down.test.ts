import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { ROLES } from "../../src/base/role.ts";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { createHost } from "../../src/host/host.ts";
import { isHolderAlive, readHolder } from "../../src/host/locks/lease-holder.ts";
import { checkSession } from "../rig/check-session.ts";
import { leftBehind } from "../rig/end-state.ts";
import { whenQuiet } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { savedCopy } from "../rig/saved-copy.ts";
import { drawn, isUsedUp, missesMax } from "../rig/share.ts";
import { passesOf, playActor, type Actor, type Pass } from "./actor.ts";

/*
 * Commands that end a session remove its clones, its verify trees and what was fetched of its remote. Here they are
 * killed while they do so, and repeated. All runs use one complete session, which is restored before each kill.
 */

const AGENT = join(import.meta.dirname, "../fixtures/agent/moved.sh");
const ID = "a-request";
const BRANCH = `wisp/${ID}`;
const TIP = `refs/wisp/remote/${ID}/tip`;
/** A reference, named by its time, that saves work which only a clone has. */
const RESCUE = /^refs\/wisp\/rescue\/a-request\/\d/u;
/** Until its first change a command only reads: of these passes only some are tried. */
const CHANGES = /^(?:append|rm|git\.(?:push|update-ref|commit-tree))\./u;
const READS_EVERY = 25;

/** A complete session with a colleague's push; each clone has work that exists nowhere else. */
async function completeSession(): Promise<ProcessSession> {
  const session = processSession({
    engine: `{ command: ["sh", ${JSON.stringify(AGENT)}, "theirs.txt"] }`,
    config: `verify: [["test", "!", "-e", "broken"]]\nreplan: never\npublish: { remote: origin, at: boundary }\n`,
  });
  const remote = join(session.root, "remote.git");
  session.git("init", "--quiet", "--bare", remote);
  session.git("remote", "add", "origin", remote);
  await mustEnd(session, "start", "request.md", "--no-up", "--yes");
  session.git("push", "--quiet", "origin", BRANCH);
  await mustEnd(session, "up");
  await session.until("the end of all processes", () => session.leftovers().length === 0);
  const clones = clonesOf(session);
  expect(clones.length).toBeGreaterThan(1);
  for (const [index, clone] of clones.entries()) {
    writeFileSync(join(clone, `loose-${String(index)}.txt`), "committed\n");
    session.git("-C", clone, "add", "-A");
    session.git("-C", clone, "-c", "user.name=T", "-c", "user.email=t@e", "commit", "-qm", "Loose");
    writeFileSync(join(clone, `left-${String(index)}.txt`), "left\n");
  }
  expect(session.git("for-each-ref", TIP)).not.toBe("");
  // `list` then releases its clones at once.
  const path = join(session.home(), "session.json");
  const json = SessionJson.parse(JSON.parse(readFileSync(path, "utf8")));
  writeFileSync(path, JSON.stringify({ ...json, policy: { ...json.policy, hibernateMs: 1 } }));
  return session;
}

async function mustEnd(session: ProcessSession, ...words: readonly string[]): Promise<void> {
  const { code, stderr } = await session.wisp(...words);
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${String(code)}: ${stderr}`);
}

function stateOf(session: ProcessSession): string {
  return SessionJson.parse(JSON.parse(session.read("session.json"))).state;
}

function clonesOf(session: ProcessSession): readonly string[] {
  const state = stateOf(session);
  return ROLES.map((role) => join(state, role, "clone")).filter((path) => existsSync(path));
}

/** The final state, which must be the same wherever the command was killed. */
async function endOf(session: ProcessSession, code: number | null) {
  // The records are checked against the branch, which an abandoned session does not have.
  const hasBranch = session.git("for-each-ref", `refs/heads/${BRANCH}`) !== "";
  const broken = hasBranch ? checkSession(session.home()).broken : undefined;
  const remote = join(session.root, "remote.git");
  const refs = (...args: readonly string[]) =>
    session.git(...args, "for-each-ref", "--format=%(refname) %(objectname)").split("\n");
  const isRescue = (line: string) => RESCUE.test(line);
  const state = stateOf(session);
  const changes = join(session.repository, ".wisp", `${ID}-changes.md`);
  await session.until("the end of all processes", () => session.leftovers().length === 0);
  return {
    ...{ code, broken },
    refs: refs().filter((line) => !isRescue(line)),
    // A rescue's name contains its time; its content is the same.
    rescues: refs()
      .filter(isRescue)
      .map((line) => line.split(" ")[1] ?? ""),
    remote: refs("--git-dir", remote),
    state: existsSync(state) ? readdirSync(state, { recursive: true }).map(String).sort() : [],
    said: session.read("logs/human.log").replaceAll(/^\S+ /gmu, "").split("\n"),
    changes: existsSync(changes) ? readFileSync(changes, "utf8") : undefined,
    fsck: (await session.wisp("fsck", ID)).code,
    left: await leftBehind(session),
  };
}

type EndState = Awaited<ReturnType<typeof endOf>>;

async function play(session: ProcessSession, actor: Actor, targets: readonly Pass[]) {
  using quiet = whenQuiet(session.root);
  return await playActor(session, actor, { targets, stop: quiet.signal });
}

/**
 * The passes from the first change on, and some of the earlier ones. Of an `after` and the next `before` only one is
 * tried: the state outside is the same.
 */
function chosen(passes: readonly Pass[]): readonly Pass[] {
  const first = passes.findIndex(({ name }) => CHANGES.test(name));
  const apart = (index: number) => index === passes.length - 1 || !isAfter(passes[index]);
  return passes.filter((_, index) => (index >= first ? apart(index) : index % READS_EVERY === 0));
}

function isAfter(pass: Pass | undefined): boolean {
  return pass?.name.endsWith(".after") === true;
}

/** Runs the command once, and then killed at each of its passes in turn; returns the final state. */
async function killedAtEveryPoint(actor: Actor, part: number): Promise<EndState> {
  await using session = await completeSession();
  using copy = savedCopy(session.root);
  const whole = await play(session, actor, []);
  const passes = chosen(passesOf(session, actor));
  const expected = await endOf(session, whole.code);
  const counts = { tried: 0, killed: 0 };
  const problems: string[] = [];
  for (const pass of drawn(passes, actor)) {
    if (isUsedUp(part) && counts.killed > 0) break;
    copy.restore();
    const { killed, code } = await play(session, actor, [pass]);
    counts.tried += 1;
    counts.killed += killed.length;
    const came = await endOf(session, code);
    // A command that was killed while it reset a clone may also save the intermediate state; the original work is
    // saved in any case.
    const isKept = expected.rescues.every((oid) => came.rescues.includes(oid));
    const end = {
      ...came,
      rescues: isKept ? expected.rescues : came.rescues,
      left: came.left.filter((name) => !(actor === "list" && isNameOfDead(session, name))),
    };
    if (isDeepStrictEqual(end, expected)) continue;
    problems.push(`killed at ${pass.name}:${String(pass.ordinal)}: ${difference(end, expected)}`);
  }
  const all = String(passes.length);
  console.log(`${actor} killed at ${String(counts.killed)} of ${String(counts.tried)}, of ${all}`);
  expect(problems).toEqual([]);
  expect(counts.killed).toBeGreaterThan(0);
  expect(counts.tried - counts.killed).toBeLessThanOrEqual(missesMax(counts.tried));
  return expected;
}

/**
 * Whether it is the file that names a lease's holder, and that process is dead. Once the clones are gone `list` takes
 * no lease again, so these files stay if it was killed while it released its leases: the next holder overwrites them.
 */
function isNameOfDead(session: ProcessSession, name: string): boolean {
  const lease = /^([a-z]+\.lock)\.json$/u.exec(name)?.[1];
  if (lease === undefined) return false;
  const holder = readHolder(createHost().files, join(session.home(), "locks", lease));
  return holder !== undefined && !isHolderAlive(holder);
}

function difference(end: EndState, expected: EndState): string {
  const wanted = new Map<string, unknown>(Object.entries(expected));
  const others = Object.entries(end).filter(
    ([name, value]) => !isDeepStrictEqual(value, wanted.get(name)),
  );
  return others
    .map(
      ([name, value]) =>
        `${name}: ${JSON.stringify(value)}, not ${JSON.stringify(wanted.get(name))}`,
    )
    .join("\n");
}

/** Expects that work which only the clones had is saved, and that the clones are gone. */
function expectSaved({ refs, rescues, state, left, broken }: EndState): void {
  expect({ left, broken }).toEqual({ left: [], broken: undefined });
  expect(refs.filter((line) => line.startsWith("refs/wisp/remote/"))).toEqual([]);
  expect(rescues.length).toBeGreaterThan(1);
  expect(state.filter((path) => /(?:^|\/)(?:clone|verify)/u.test(path))).toEqual([]);
}

test("done, killed at every failpoint and repeated, ships once, saves work that only clones have, and leaves no files behind", async () => {
  const end = await killedAtEveryPoint("done", 0.4);
  expectSaved(end);
  expect(end.said.filter((line) => line.startsWith("done "))).toHaveLength(1);
  expect(end.fsck).toBe(0);
  expect(end.refs.some((line) => line.startsWith(`refs/heads/${BRANCH} `))).toBe(true);
});

test("abandon, killed at every failpoint and repeated, removes the branch once, saves all work, and leaves no files behind", async () => {
  const end = await killedAtEveryPoint("abandon", 0.7);
  expectSaved(end);
  expect(end.said.filter((line) => line.startsWith("abandon"))).toHaveLength(1);
  expect(end.refs.some((line) => line.startsWith(`refs/heads/${BRANCH} `))).toBe(false);
  expect(end.refs.some((line) => line.startsWith(`refs/wisp/rescue/${ID}/abandoned `))).toBe(true);
});

test("the release of idle clones, killed at every failpoint, is completed by the next command, and saves all work", async () => {
  expectSaved(await killedAtEveryPoint("list", 1));
});
