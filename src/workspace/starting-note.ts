import { join } from "node:path";
import { z } from "zod";
import { lateObject } from "../base/late-object.ts";
import { NonEmpty } from "../base/plain-values.ts";
import type { FileFailure, Files } from "../base/ports/files.ts";
import { EXIT } from "../base/exit-code.ts";
import { refusal } from "../base/failure.ts";
import { ok, type Result } from "../base/result.ts";
import { shellWord } from "../base/words/shell-word.ts";
import { shown } from "../base/words/shown.ts";
import { jsonOf } from "../base/words/json-text.ts";
import { homeAt, type Home } from "../fs-protocol/home/home.ts";
import { sessionsDirectory, workTreeAround, workTreesAround } from "./sessions.ts";

/**
 * `locks/starting.json` in a home without `session.json`: a session is being started elsewhere. If that is
 * interrupted, the same command goes on with it, and makes nothing twice.
 */
export const StartingNote = lateObject(() => ({
  version: z.literal(1),
  executor: NonEmpty,
  /** Names the place at the executor. */
  key: z.string().regex(/^[a-z0-9-]{1,60}$/u),
  /** The top of the work tree for which it was begun: a copy of it has no part in that start. Absent: an older wisp. */
  repository: NonEmpty.optional(),
  branch: NonEmpty,
  /** The digest of the request. */
  request: NonEmpty,
}));
export type StartingNote = z.infer<typeof StartingNote>;

/** A start elsewhere that has not ended, or was interrupted. */
export interface StartingHome {
  readonly id: string;
  /** The top of the work tree for which it was begun. */
  readonly repository: string;
  readonly home: Home;
  readonly note: StartingNote;
}

/** Where the note of a home is. */
export function startingNotePath({ locks }: Pick<Home, "locks">): string {
  return join(locks, "starting.json");
}

/** The note of a home, if a session was started elsewhere by it. */
export function startingNote(files: Files, home: Pick<Home, "locks">): StartingNote | undefined {
  const path = startingNotePath(home);
  if (files.stat(path) === undefined) return undefined;
  const read = files.read(path);
  const text = read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
  return StartingNote.safeParse(jsonOf(text)).data;
}

/** The starts elsewhere of a repository that have made no session yet. */
export function startingHomes(
  files: Files,
  repository: string,
): Result<readonly StartingHome[], FileFailure> {
  const directory = sessionsDirectory(repository);
  const names = files.list(directory);
  if (!names.ok) return names;
  const homes = names.value.flatMap((id): StartingHome[] => {
    const home = homeAt(join(directory, id));
    const isMade = id.startsWith(".") || files.stat(home.sessionJson) !== undefined;
    const note = isMade ? undefined : startingNote(files, home);
    const isOfCopy = note?.repository !== undefined && note.repository !== repository;
    return note === undefined || isOfCopy ? [] : [{ id, repository, home, note }];
  });
  return ok(homes);
}

/** The start that a person in `cwd` names by the id or the branch that its session will have. */
export function startNamed(
  files: Files,
  cwd: string,
  asked: string | undefined,
): StartingHome | undefined {
  const top = workTreeAround(files, cwd);
  if (top === undefined || asked === undefined) return undefined;
  const starts = workTreesAround(files, top).flatMap((repository) => {
    const homes = startingHomes(files, repository);
    return homes.ok ? homes.value : [];
  });
  return starts.find(({ id, note }) => id === asked || note.branch === asked);
}

interface Starting {
  readonly id: string;
  readonly executor: string;
}

/** The session is not there yet: it is being started on another machine, or that start was interrupted or refused. */
export const BeingStarted = refusal(
  "being-started",
  EXIT.noSuchSession,
  ({ id, executor }: Starting) => [
    `${shown(id)} is being started on ${shown(executor)}, or its start there was interrupted.`,
    "The same `wisp start` goes on with it. To see all starts, or to give this one up with what was made there:",
    "wisp list --all",
    `wisp abandon ${shellWord(id)}`,
  ],
);
