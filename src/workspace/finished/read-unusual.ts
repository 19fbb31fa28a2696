import { findUnusual, type Unusual } from "../../evidence/unusual/find-unusual.ts";
import {
  declaresDependencies,
  isTomlManifest,
} from "../../evidence/strange/declared-dependencies.ts";
import type { ManifestTexts, ParseToml } from "../../evidence/strange/declared-dependencies.ts";
import { findStrange } from "../../evidence/strange/find-strange.ts";
import type { Oid } from "../../base/oid.ts";
import type { ChangedEntry } from "../../base/ports/patches.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { broughtIn } from "../../git/clone/brought-in.ts";
import { userEnvironment } from "../../git/command/git-environment.ts";
import { gitIn } from "../../git/command/git.ts";
import { locateGitDirectory } from "../../git/command/git-directory.ts";
import { blobTexts, rangePatches } from "../../git/repository/range-patches.ts";
import type { FoundSession } from "../sessions.ts";
import { gitContext, type World } from "../world.ts";
import { readLeftBehind } from "./read-left-behind.ts";
import { sensitiveAtEnd } from "./read-sensitive-changes.ts";
import type { SensitiveChange } from "./sensitive-changes.ts";

/** The manifests that are compared at most; where there are more, it is said that not all was looked at. */
const MANIFESTS_READ_MAX = 200;

type Looks = Pick<World, "host" | "env">;

/** What is unusual about the commits of a session, according to git: what they bring, and what is in it. */
export async function readUnusual(
  world: Looks,
  { session, home }: Pick<FoundSession, "session" | "home">,
  { state, head }: { readonly state: Pick<SessionState, "builder" | "human">; readonly head: Oid },
): Promise<readonly Unusual[]> {
  const request = world.host.files.read(home.request);
  const asked = request.ok ? Buffer.from(request.value ?? []).toString("utf8") : "";
  const [brought, strange] = await Promise.all([
    readBrought(world, session, head),
    readStrange(world, { session, home }, { head, asked: [asked, ...approvedPlan(state)] }),
  ]);
  const known = new Set(brought.map((one) => (one.kind === "unread" ? one.why : undefined)));
  return [...brought, ...strange.filter((one) => one.kind !== "unread" || !known.has(one.why))];
}

async function readBrought(
  world: Looks,
  { repository, base, identity }: Pick<SessionJson, "repository" | "base" | "identity">,
  head: Oid,
): Promise<readonly Unusual[]> {
  const { environment, clock, files } = gitContext(world);
  const git = gitIn(repository, userEnvironment(environment, repository));
  const place = locateGitDirectory(files, repository);
  const objects = place && { files, place };
  const read = await broughtIn(git, { start: base, end: head }, objects);
  return findUnusual(read, { identity, nowMs: clock.nowMs() });
}

async function readStrange(
  world: Looks,
  found: Pick<FoundSession, "session" | "home">,
  { head, asked }: { readonly head: Oid; readonly asked: readonly string[] },
): Promise<readonly Unusual[]> {
  const context = gitContext(world);
  const { repository, base, identity } = found.session;
  const read = await rangePatches(context, { directory: repository, base, head });
  const wanted = read.ok ? read.value.entries.filter(isChangedManifest) : [];
  const manifests = await readManifests(world, repository, wanted.slice(0, MANIFESTS_READ_MAX));
  const parseToml = wanted.some(({ path }) => isTomlManifest(path)) ? await tomlParser() : NO_TOML;
  const net = read.ok ? read.value.net : [];
  const { named, isWhole } = await readLeftBehind(world, found, { net, head });
  const skipped = wanted.length - manifests.length + (isWhole ? 0 : 1);
  const facts = { manifests, skipped, parseToml, leftBehind: named };
  return findStrange(read, { ...facts, identity, asked });
}

function isChangedManifest({ path, after }: ChangedEntry): boolean {
  return after !== undefined && declaresDependencies(path);
}

/** The manifests whose texts git has here. */
async function readManifests(
  world: Looks,
  repository: string,
  entries: readonly ChangedEntry[],
): Promise<readonly ManifestTexts[]> {
  const oids = entries.flatMap(({ before, after }) =>
    [before, after].filter((oid) => oid !== undefined),
  );
  const texts = await blobTexts(gitContext(world), repository, [...new Set(oids)]);
  const textOf = (oid: Oid | undefined) => (oid === undefined ? undefined : texts.get(oid));
  return entries
    .map(({ path, before, after }) => ({ path, before: textOf(before), after: textOf(after) }))
    .filter(({ after }) => after !== undefined);
}

/** Loaded only where it is needed, because every `wisp status` comes by here. */
async function tomlParser(): Promise<ParseToml> {
  const { parse } = await import("smol-toml");
  return parse;
}

const NO_TOML: ParseToml = () => ({});

/** The plan in force, if a person approved exactly it: no other text of a model says what was asked for. */
function approvedPlan({
  builder,
  human,
}: Pick<SessionState, "builder" | "human">): readonly string[] {
  if (!human.approvedPlans.some(({ plan }) => plan === builder.planSha)) return [];
  return builder.plan.flatMap(({ tasks }) => tasks);
}

/**
 * The unusual facts about the commits of a session that has ended and whose branch exists, for a
 * person to check.
 */
export async function unusualAtEnd(
  world: Looks,
  found: Pick<FoundSession, "session" | "home">,
  state: Pick<SessionState, "builder" | "branch" | "human">,
): Promise<{
  readonly sensitive: readonly SensitiveChange[];
  readonly unusual: readonly Unusual[];
}> {
  const { head } = state.branch;
  const isOver = state.builder.stage.kind === "done" && head !== undefined;
  const [sensitive, unusual] = await Promise.all([
    sensitiveAtEnd(world, found.session, state),
    isOver ? readUnusual(world, found, { state, head }) : [],
  ]);
  return { sensitive, unusual };
}
