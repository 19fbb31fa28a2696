import { EXIT } from "../base/exit-code.ts";
import { refusal } from "../base/failure.ts";
import { shown } from "../base/words/shown.ts";
import { basename, dirname, join } from "node:path";
import type { FileFailure, Files } from "../base/ports/files.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { perRole } from "../base/role.ts";
import { jsonOf } from "../base/words/json-text.ts";
import { homeAt, parentHome, revisionName, type Home } from "../fs-protocol/home/home.ts";
import { PlaceJson, placePath, type FarPlace } from "../fs-protocol/home/place-json.ts";
import { schemaProblem } from "../fs-protocol/codec/schema-problem.ts";
import { revisionHomes } from "../fs-protocol/home/home-family.ts";
import { locateGitDirectory } from "../git/command/git-directory.ts";
import { LaterSession, PROTOCOL_VERSIONS, SessionJson } from "../fs-protocol/home/session-json.ts";

/** A session and its home. */
export interface FoundSession {
  readonly home: Home;
  /** With the places that it names as they are on this machine. */
  readonly session: SessionJson;
  /** Where the session runs, if that is elsewhere: then its home here is a mirror, and nothing here may write to it. */
  readonly mirrors?: FarPlace | undefined;
}

/** A session's home holds an invalid `session.json`. */
export const SessionDamaged = refusal(
  "session-damaged",
  EXIT.failure,
  ({ path, problem }: { readonly path: string; readonly problem: string }) => [
    `${shown(path)} is damaged: ${shown(problem)}.`,
    "wisp writes this file once and never changes it. Restore it from a backup, or start a new " +
      "session; the branch is not touched.",
  ],
);

/** A later wisp created the session, with a protocol version that this one does not know. */
export const SessionLater = refusal(
  "session-later",
  EXIT.failure,
  ({ path, version, madeBy }: LaterSession & { readonly path: string }) => {
    const maker = madeBy === undefined ? "a later wisp" : `wisp ${shown(madeBy)}`;
    const known = new Intl.ListFormat("en-GB").format(PROTOCOL_VERSIONS.map(String));
    return [
      `${shown(path)} was created by ${maker}, in version ${String(version)} of the protocol. ` +
        `This wisp knows versions ${known}.`,
      `Continue with ${maker}${madeBy === undefined ? "" : " or a later one"}. Nothing was changed.`,
    ];
  },
);

/** Why a session's home cannot be used. */
export type SessionUnreadable = ReturnType<typeof SessionDamaged> | ReturnType<typeof SessionLater>;

/** The directory of the homes of a repository's sessions. */
export function sessionsDirectory(repository: string): string {
  return join(repository, ".wisp", "sessions");
}

/** The link to the newest session's home. */
export function currentLink(repository: string): string {
  return join(repository, ".wisp", "current");
}

/**
 * Lists the homes below `.wisp/sessions` that hold a session, each followed by those of its
 * revisions.
 */
export function listSessions(
  files: Files,
  repository: string,
): Result<readonly Home[], FileFailure> {
  const directory = sessionsDirectory(repository);
  const names = files.list(directory);
  if (!names.ok) return names;
  const homes = names.value
    // A leading dot marks a home that is being created.
    .filter((name) => !name.startsWith("."))
    .map((name) => homeAt(join(directory, name)))
    .filter(({ sessionJson }) => files.stat(sessionJson) !== undefined)
    .flatMap((home) => {
      const revisions = revisionHomes(files, home);
      return [home, ...(revisions.ok ? revisions.value : [])];
    });
  return ok(homes);
}

/** Reads a session's `session.json`, and what `place.json` says of this machine. */
export function readSession(
  files: Files,
  home: Home,
): Result<FoundSession, FileFailure | SessionUnreadable> {
  const path = home.sessionJson;
  const read = files.read(path);
  if (!read.ok) return read;
  const text = Buffer.from(read.value ?? []).toString("utf8");
  const json = jsonOf(text);
  // Compiling so large a schema takes longer than checking a few files without.
  const parsed = SessionJson.safeParse(json, { jitless: true });
  if (parsed.success) return placed(files, { home, session: parsed.data });
  const later = LaterSession.safeParse(json, { jitless: true });
  if (later.success) return fail(SessionLater({ path, ...later.data }));
  const problem = json === undefined ? "it does not contain JSON" : schemaProblem(parsed.error);
  return fail(SessionDamaged({ path, problem }));
}

/** The session with the paths that it has on this machine. */
function placed(
  files: Files,
  { home, session }: FoundSession,
): Result<FoundSession, FileFailure | SessionUnreadable> {
  const { parent } = session;
  const path = placePath(parent === undefined ? home : parentHome(home));
  if (files.stat(path) === undefined) return ok({ home, session });
  const read = files.read(path);
  if (!read.ok) return read;
  const json = jsonOf(Buffer.from(read.value ?? []).toString("utf8"));
  const parsed = PlaceJson.safeParse(json, { jitless: true });
  if (!parsed.success) {
    const problem = json === undefined ? "it does not contain JSON" : schemaProblem(parsed.error);
    return fail(SessionDamaged({ path, problem }));
  }
  const { repository, state, mirrors } = parsed.data;
  const engines = enginesAt(files, repository, session);
  if (parent === undefined) {
    return ok({ home, session: { ...session, repository, state, engines }, mirrors });
  }
  const own = { repository, engines, state: join(state, revisionName(parent.revision)) };
  return ok({ home, session: { ...session, ...own, parent: { ...parent, state } }, mirrors });
}

/** The engines that are files of the repository are taken from where that is on this machine, if they are there. */
function enginesAt(
  files: Pick<Files, "stat">,
  at: string,
  { engines, repository }: SessionJson,
): SessionJson["engines"] {
  const word = (text: string) => {
    const here = text.startsWith(`${repository}/`) ? join(at, text.slice(repository.length)) : text;
    return here === text || files.stat(here) === undefined ? text : here;
  };
  const moved = <T extends { readonly argv: SessionJson["engines"]["builder"]["argv"] }>(
    one: T,
  ): T => {
    const [executable = "", ...rest] = one.argv;
    return { ...one, argv: [word(executable), ...rest.map(word)] };
  };
  return perRole((role) => {
    const { fallbacks, named, ...own } = engines[role];
    return {
      ...moved(own),
      ...(fallbacks && { fallbacks: fallbacks.map(moved) }),
      ...(named && { named: named.map(moved) }),
    };
  });
}

/** The work tree around `directory`: the nearest folder that contains `.git`. Starts no process. */
export function workTreeAround(files: Files, directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    if (files.stat(join(at, ".git")) !== undefined) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** A work tree and, if that is a linked one, the main one too, in which its sessions are looked for as well. */
export function workTreesAround(files: Files, top: string): readonly string[] {
  const common = locateGitDirectory(files, top)?.commonDirectory;
  const main = common !== undefined && basename(common) === ".git" ? dirname(common) : top;
  return [...new Set([top, main])];
}
