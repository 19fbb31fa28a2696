import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { createHost } from "../../src/host/host.ts";
import { isTemporaryName } from "../../src/host/files/write-atomically.ts";
import { checkSession } from "./check-session.ts";
import { engineProcessesBelow } from "./marked-processes.ts";
import type { ProcessSession } from "./process-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/** What must be the same whichever process was killed, and when. */
export function endState(session: ProcessSession) {
  const { history, broken } = checkSession(session.home());
  const { builder, reviewer, tester } = history;
  const branch = `refs/heads/${sessionField(session, "branch")}`;
  const reviews = reviewer.records.filter(
    ({ kind, ...record }) =>
      kind === "review.end" && "outcome" in record && record.outcome === "reviewed",
  );
  return {
    broken,
    how: lastEndOf(builder.fold)?.how,
    milestones: builder.fold.milestones.map(({ name }) => name),
    reviewed: [...reviewer.fold.answered].sort(),
    tested: [...tester.fold.answered].sort(),
    items: [...reviewer.fold.items.keys(), ...tester.fold.items.keys()].sort(),
    open: reviewer.fold.open.size + tester.fold.open.size,
    // The settings name the rig's own temporary folder.
    tree: session
      .git("ls-tree", "-r", branch)
      .split("\n")
      .filter((line) => !line.includes("\t.wisp/")),
    subjects: session.git("log", "--format=%s", branch, "^main").split("\n").sort(),
    tasks: session.read("TASKS.md"),
    hint: session.read(".stuck-hint.md"),
    attempts: Object.fromEntries(builder.fold.buildAttempts),
    fixes: entries(session, /^\[Review Fix\].*UTC - (.*)$/gm),
    // The number of reviews depends on timing: a verdict may cover the review of its commit.
    reviewsOnRecord: reviews.length - entries(session, /^\[Review\]/gm).length,
    findings: withoutShas(session.read("REVIEWS.md")),
    bugs: withoutShas(session.read("BUGS.md")),
    projections: {
      milestones: firstFields(session.read("logs/milestones.log")),
      done: firstFields(session.read("logs/builder.done")),
      checkpointTwice: repeatedLines(session.read("logs/reviewer.checkpoint")),
      reviewed: session.read("logs/reviewer.milestone"),
      tested: session.read("logs/tester.milestone"),
      final: firstFields(session.read("logs/tester.final")),
    },
  };
}

/** What a session wrongly leaves behind, in words; empty if nothing. */
export async function leftBehind(session: ProcessSession): Promise<readonly string[]> {
  const clones = clonesOf(session);
  return [
    ...[session.repository, ...clones].flatMap(fsckComplaints),
    ...[session.repository, ...clones].flatMap((directory) =>
      lockFilesBelow(join(directory, ".git")),
    ),
    ...lockFilesBelow(session.home()).filter((path) => !isLeaseFile(path)),
    ...(await heldLeases(session)),
    ...engineProcessesBelow(session.root).map(({ commandLine }) => `alive: ${commandLine}`),
    ...userChanges(session),
  ];
}

function entries(session: ProcessSession, pattern: RegExp): readonly string[] {
  return [...session.read("PROGRESS.txt").matchAll(pattern)].map(([, name]) => name ?? "").sort();
}

function withoutShas(text: string): readonly string[] {
  return text.replaceAll(/\b[0-9a-f]{40}\b/g, "sha").split("\n");
}

function firstFields(text: string): readonly string[] {
  return text.split("\n").map((line) => line.split("|")[0] ?? "");
}

function repeatedLines(text: string): readonly string[] {
  const lines = text.split("\n").slice(0, -1);
  return lines.filter((line, index) => lines.indexOf(line) !== index);
}

function clonesOf(session: ProcessSession): readonly string[] {
  const state = sessionField(session, "state");
  if (!existsSync(state)) return [];
  return readdirSync(state)
    .map((name) => join(state, name))
    .filter((directory) => existsSync(join(directory, ".git")));
}

function sessionField(session: ProcessSession, name: "branch" | "state"): string {
  return SessionJson.parse(JSON.parse(session.read("session.json")))[name];
}

function fsckComplaints(directory: string): readonly string[] {
  const ended = spawnSync("git", ["fsck", "--strict", "--no-dangling", "--no-progress"], {
    cwd: directory,
    encoding: "utf8",
  });
  const output = `${ended.stdout}${ended.stderr}`.trim();
  return ended.status === 0 && output === "" ? [] : [`git fsck in ${directory}: ${output}`];
}

function lockFilesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".lock"))
    .map((name) => join(directory, name));
}

function isLeaseFile(path: string): boolean {
  return /\/locks\/[a-z]+\.lock$/.test(path);
}

async function heldLeases(session: ProcessSession): Promise<readonly string[]> {
  const { locks } = createHost();
  const directory = join(session.home(), "locks");
  const names = readdirSync(directory).filter((name) => !isTemporaryName(name));
  const held = await Promise.all(
    names.map(
      async (name) => !name.endsWith(".lock") || (await locks.isLeaseHeld(join(directory, name))),
    ),
  );
  return names.filter((_, index) => held[index]);
}

function userChanges({ repository }: ProcessSession): readonly string[] {
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();
  const changed = git("status", "--porcelain");
  const head = git("symbolic-ref", "HEAD");
  return [
    ...(changed === "" ? [] : [`the user's work tree changed: ${changed}`]),
    ...(head === "refs/heads/main" ? [] : [`the user's HEAD is ${head}`]),
  ];
}
