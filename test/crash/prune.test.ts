import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { processSession, WISP, type ProcessSession } from "../rig/process-session.ts";
import { savedCopy } from "../rig/saved-copy.ts";
import { drawn, isUsedUp } from "../rig/share.ts";
import { ONE_TASK } from "../process/scenarios.ts";

/*
 * `wisp prune` removes a session in many steps. Killed at any of them it leaves a session that every command can still
 * use, or none, and the next one removes the rest.
 */

const ID = "a-request";
const PRUNE = ["prune", ID, "--force", "--yes"];
/** The part of a sample's time after which it stops: other files of the suite wait for this one. */
const PART = 0.4;
/** Steps that change something; what only reads has nothing to leave. */
const CHANGES = /^(?:rename|rm|unlink|mkdir|rmdir)\.before/u;

function stateOf(session: ProcessSession): string {
  return SessionJson.parse(JSON.parse(session.read("session.json", ID))).state;
}

/** Everything of sessions: names in the folder of homes and in the state directory. */
function kept(session: ProcessSession): readonly string[] {
  const homes = join(session.repository, ".wisp", "sessions");
  const root = join(session.env["HOME"] ?? "", ".local/state/wisp");
  const states = readdirSync(root).filter((name) => ![".code", ".programs"].includes(name));
  return [homes, ...states.map((name) => join(root, name))]
    .flatMap((path) => readdirSync(path))
    .filter((name) => !name.startsWith(".") || name.startsWith(".gone"))
    .sort();
}

function refsOf(session: ProcessSession): string {
  return session.git("for-each-ref", "--format=%(refname) %(objectname)");
}

/** Whether the commit that only a clone had is under a reference. */
function isSaved(session: ProcessSession): boolean {
  return /refs\/wisp\/rescue\/a-request\/\d\S* \S+/u.test(refsOf(session));
}

/** A complete session; its builder's clone has a commit and a file that exist nowhere else. */
async function withWork(): Promise<ProcessSession> {
  const session = processSession({ scenario: ONE_TASK });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  await session.until("the end of all processes", () => session.leftovers().length === 0);
  const clone = join(stateOf(session), "builder", "clone");
  writeFileSync(join(clone, "loose.txt"), "committed\n");
  session.git("-C", clone, "add", "-A");
  session.git("-C", clone, "-c", "user.name=T", "-c", "user.email=t@e", "commit", "-qm", "Loose");
  writeFileSync(join(clone, "left.txt"), "left\n");
  return session;
}

/** Prunes the session; `pass` is where it is killed. */
function pruned(session: ProcessSession, pass?: string): "ended" | "killed" | "failed" {
  const kill = pass === undefined ? {} : { WISP_FAILPOINT: pass };
  const env = { ...session.env, ...kill, WISP_FAILPOINT_LOG: join(session.root, "points") };
  try {
    execFileSync(process.execPath, [WISP, ...PRUNE], {
      cwd: session.repository,
      env,
      stdio: "pipe",
    });
    return "ended";
  } catch (thrown) {
    const signal = thrown instanceof Error && "signal" in thrown ? thrown.signal : undefined;
    return signal === "SIGKILL" ? "killed" : "failed";
  }
}

/** The changing steps of a prune that was not killed, as `name:n`. */
function stepsOf(session: ProcessSession): readonly string[] {
  const counts = new Map<string, number>();
  const names = readFileSync(join(session.root, "points"), "utf8").trimEnd().split("\n");
  const all = names.map((name) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return `${name}:${String(counts.get(name))}`;
  });
  return all.filter((pass) => CHANGES.test(pass));
}

test("prune, killed at each of its steps, leaves a whole session or none, and the next prune removes the rest", async () => {
  await using session = await withWork();
  using copy = savedCopy(session.root);
  expect(pruned(session)).toBe("ended");
  expect({ kept: kept(session), isSaved: isSaved(session) }).toEqual({ kept: [], isSaved: true });
  const steps = stepsOf(session);
  expect(steps.length).toBeGreaterThan(10);
  const seen = { whole: 0, gone: 0 };
  for (const pass of drawn(steps, "prune")) {
    if (isUsedUp(PART) && seen.whole + seen.gone > 0) break;
    copy.restore();
    const killed = pruned(session, pass);
    const isThere = existsSync(session.home(ID));
    seen[isThere ? "whole" : "gone"] += 1;
    const [status, list] = [await session.wisp("status", ID), await session.wisp("list")];
    const next = (await session.wisp("prune", "--yes")).code;
    const forced = isThere ? (await session.wisp(...PRUNE)).code : 0;
    const isListed = /^(?:|.*idle clones.*\n|There are no sessions.*\n)$/u.test(list.stderr);
    const hasBranch = refsOf(session).includes("refs/heads/wisp/a-request ");
    const end = { kept: kept(session), isSaved: isSaved(session), hasBranch };
    expect({ pass, killed, status: status.code, isListed, next, forced, ...end }).toEqual({
      ...{ pass, killed: "killed", status: isThere ? 0 : 3, isListed: true, next: 0, forced: 0 },
      ...{ kept: [], isSaved: true, hasBranch: true },
    });
  }
  console.log(`prune killed at ${String(seen.whole + seen.gone)} of ${String(steps.length)} steps`);
});
