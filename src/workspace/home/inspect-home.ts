import { dirname, join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { Oid } from "../../base/oid.ts";
import { ROLES } from "../../base/role.ts";
import { checkHome, type Live } from "../../session/check/check-home.ts";
import { recordedCommits, type CommitAnswers } from "../../session/check/check-commits.ts";
import { leasePath, type Home } from "../../fs-protocol/home/home.ts";
import type { HomeIssue } from "../../fs-protocol/home/home-issue.ts";
import { readHomeLogs, type HomeLogs } from "../../fs-protocol/home/logs.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { sessionHub } from "../session/session-hub.ts";
import { knownCommits, holdsCommit } from "../../git/repository/known-objects.ts";
import { findLeftovers, type Leftover } from "../../host/files/leftovers.ts";
import { gitContext, type World } from "../world.ts";
import { readHomeFiles, type HomeFiles } from "./home-files.ts";
import { homeShape, isRemoved, repairedView, shapeIssues, type HomeShape } from "./home-shape.ts";
import { lostPlans, type LostPlan } from "./lost-plans.ts";
import { leadsToHome } from "../point-current.ts";
import { readLeases } from "../session/read-leases.ts";
import { sessionsOf } from "../shown-path.ts";
import { currentLink, type FoundSession } from "../sessions.ts";

/** An issue with its line number. */
export type FoundIssue = HomeIssue & {
  /** From 1; undefined if the issue concerns the file as a whole. */
  readonly line: number | undefined;
};

/** The result of checking a home against the protocol. */
export interface Inspection {
  readonly shape: HomeShape;
  readonly issues: readonly FoundIssue[];
  readonly files: HomeFiles;
  readonly leftovers: readonly Leftover[];
  /** The roles whose processes are working on it. */
  readonly live: Live;
}

/**
 * Checks a home without changing anything; roles may keep working. `own`: this process holds all
 * leases, so no other process is at work.
 */
export async function inspectHome(
  world: Pick<World, "host" | "env">,
  { home, session }: FoundSession,
  { own }: { readonly own: boolean },
): Promise<Inspection> {
  const { host } = world;
  const before = own ? new Set<never>() : await readLeases(host, home);
  const shape = homeShape(host.files, { home, session }, before);
  // Files that a repair of the structure will restore are checked in their restored form, so that
  // all problems are reported at once.
  const view = repairedView(host.files, { home, session }, shape);
  const logs = readHomeLogs(view, home);
  const files = readHomeFiles(view, home, session, logs);
  // A live role may have written what it refers to while we were reading: read each log again.
  const after = own ? new Set<never>() : await readLeases(host, home);
  const live: Live = new Set([...before, ...after]);
  const known = live.size === 0 ? logs : readHomeLogs(view, home);
  const commits = await askForCommits(world, { home, session }, logs);
  const leftovers = findLeftovers(placesOf(home, session), host.clock.nowMs(), { own });
  const lost = lostPlans(view, { home, session }, logs);
  // A supervisor restarts roles that are not running: no role's files are at rest.
  const busy: Live = live.has("supervisor") ? new Set([...live, ...ROLES]) : live;
  const made = shapeIssues({ home, session }, shape);
  const isGone = isRemoved(home, shape);
  // In a removed home, everything derived from its logs would be reported as missing.
  const issues = isGone
    ? [...made, ...checkCurrent(session)]
    : [
        ...made,
        ...checkHome({ home, session, logs, known, live: busy, commits, ...files }).map((issue) =>
          withWay(issue, lost),
        ),
        ...leftovers.map(({ path, what }): HomeIssue => ({ kind: "leftover", path, what })),
        ...(own ? [] : holders(world, home, busy)),
        ...checkCurrent(session),
      ];
  return { shape, issues: withLines(view, issues), files, leftovers, live };
}

/** Adds how a plan can be recovered. */
function withWay(issue: HomeIssue, lost: readonly LostPlan[]): HomeIssue {
  if (issue.kind !== "plan-missing" && issue.kind !== "plan-altered") return issue;
  return { ...issue, way: lost.find(({ plan }) => plan === issue.plan)?.way };
}

function placesOf(home: Home, { state }: SessionJson): readonly string[] {
  const sessions = sessionsOf(home);
  const copies = ["supervisor", ...ROLES].map((holder) => join(state, holder, "kept"));
  return [
    ...[home.directory, home.logs, home.turns, home.plans, home.requests, home.locks],
    ...[sessions, dirname(sessions), state, join(state, "kept"), join(state, "plans")],
    ...copies,
  ];
}

/** A killed holder leaves the file that identifies it. */
function holders({ host }: Pick<World, "host">, home: Home, live: Live): readonly HomeIssue[] {
  return (["supervisor", ...ROLES] as const)
    .filter((holder) => !live.has(holder))
    .map((holder) => `${leasePath(home, holder)}.json`)
    .filter((path) => host.files.stat(path) !== undefined)
    .map((path) => ({ kind: "leftover", path, what: "holder" }));
}

/** `.wisp/current` must point to a home below `.wisp/sessions`. */
function checkCurrent({ repository }: SessionJson): readonly HomeIssue[] {
  return leadsToHome(repository) ? [] : [{ kind: "current-link", path: currentLink(repository) }];
}

async function askForCommits(
  world: Pick<World, "host" | "env">,
  found: FoundSession,
  logs: HomeLogs,
): Promise<CommitAnswers> {
  const { home, session } = found;
  const { repository, base, branch } = session;
  const git = gitContext(world);
  const hub = sessionHub(world, found);
  const head = await hub.head(branch);
  // If histories were merged, the order differs from the roles' order. That does not matter here:
  // only ancestors are checked, and every order lists them first.
  const commits = head === undefined ? [] : need(await hub.commits(base, head));
  const places = new Map(commits.map((oid, index) => [oid, index + 1]));
  if (head !== undefined && (await holdsCommit(git, repository, { commit: base, holder: head })))
    places.set(base, 0);
  const others = recordedCommits(logs, session, home.sessionJson)
    .map(({ sha }) => sha)
    .filter((sha) => !places.has(sha) && Oid.safeParse(sha).success);
  const elsewhere = need(await knownCommits(git, repository, others));
  return { head, places, elsewhere };
}

const FILE_BYTES_MAX = 1024 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Adds the line of each issue that has a place in its file. */
function withLines(files: Files, issues: readonly HomeIssue[]): readonly FoundIssue[] {
  const lineOf = lineNumbers(files, issues);
  return issues.map((issue) => ({
    ...issue,
    line: lineOf.get(issue.path)?.get(issue.offsetBytes),
  }));
}

type LineNumbers = ReadonlyMap<number | undefined, number>;

/** The numbers of the lines that contain the issues, by file and offset. Each file is read and counted once. */
function lineNumbers(files: Files, issues: readonly HomeIssue[]): ReadonlyMap<string, LineNumbers> {
  const offsets = new Map<string, Set<number>>();
  for (const { path, offsetBytes } of issues) {
    if (offsetBytes === undefined) continue;
    const known = offsets.get(path) ?? new Set();
    offsets.set(path, known.add(offsetBytes));
  }
  return new Map(
    [...offsets].map(([path, within]) => {
      const bytes = need(files.read(path, FILE_BYTES_MAX)) ?? new Uint8Array();
      return [path, linesAt(bytes, [...within])];
    }),
  );
}

function linesAt(bytes: Uint8Array, offsets: readonly number[]): LineNumbers {
  const lines = new Map<number, number>();
  let line = 1;
  let newline = bytes.indexOf(NEWLINE);
  for (const offset of offsets.toSorted((one, other) => one - other)) {
    for (; newline >= 0 && newline < offset; newline = bytes.indexOf(NEWLINE, newline + 1)) line++;
    lines.set(offset, line);
  }
  return lines;
}
