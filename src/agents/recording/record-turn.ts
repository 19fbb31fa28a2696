import { basename, join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { Locks } from "../../base/ports/locks.ts";
import { encodeCassette } from "../../engines/replay/encode-cassette.ts";
import type { Engine, TurnOutcome, TurnRequest } from "../../engines/engine.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import type { GitContext } from "../../git/command/git-environment.ts";
import {
  readWorkPoint,
  subjectIn,
  workBetween,
  type WorkPlace,
  type WorkPoint,
} from "../../git/clone/turn-changes.ts";
import { assembleCassette } from "./assemble-cassette.ts";
import { RecordedTurn } from "./recorded-turn.ts";
import { redactorOf } from "./redact.ts";
import { conditionsOf, answerSteps, tasksSteps } from "./turn-steps.ts";
import { workSteps } from "./work-steps.ts";

/** What recording needs from the session and its machine. */
export interface RecordingOptions {
  /** The user's repository: hub of the session. */
  readonly repository: string;
  /** Directory of the session's clones, which holds the mark that turns recording on. */
  readonly state: string;
  readonly files: Files;
  readonly locks: Pick<Locks, "withLock">;
  readonly git: GitContext;
  /** Environment that the engine may inherit: the values of secret variables are redacted. */
  readonly env: Readonly<Record<string, string>>;
}

/** A recording in progress. */
export interface Recording extends RecordingOptions {
  /** Absolute path of the recording. */
  readonly directory: string;
}

/** Runs a turn and records what it did. A turn that cannot be recorded is left out. */
export async function recordTurn(
  engine: Engine,
  request: TurnRequest,
  options: Recording,
): Promise<TurnOutcome> {
  const before = await readWorkPoint(options.git, placeOf(request, options));
  const tasks = tasksOf(options, request);
  const outcome = await engine.turn(request);
  if (!before.ok) return outcome;
  const turn = await turnOf(request, outcome, { before: before.value, tasks, options });
  if (turn !== undefined) await saveTurn(options, request, turn);
  return outcome;
}

interface TurnStart {
  readonly before: WorkPoint;
  readonly tasks: string | undefined;
  readonly options: RecordingOptions;
}

async function turnOf(
  request: TurnRequest,
  outcome: TurnOutcome,
  { before, tasks, options }: TurnStart,
): Promise<RecordedTurn | undefined> {
  const { git } = options;
  const place = placeOf(request, options);
  const redact = redactorOf(options.env);
  const after = await readWorkPoint(git, place);
  if (!after.ok) return undefined;
  const work = await workBetween(git, place, { before, after: after.value });
  if (!work.ok) return undefined;
  const { endSha, unit } = request;
  const subject = endSha === undefined ? undefined : await subjectIn(git, place, endSha);
  const recorded = RecordedTurn.safeParse({
    version: 1,
    unit,
    on: conditionsOf(request, subject, redact),
    outcome: outcome.kind,
    failure: outcome.kind === "failed" ? outcome.failure : undefined,
    before,
    after: after.value,
    work: workSteps(work.value, redact),
    tasks: tasksSteps(tasks, tasksOf(options, request), redact),
    said: answerSteps(outcome, request, redact),
  });
  return recorded.success ? recorded.data : undefined;
}

function placeOf({ cwd }: TurnRequest, { repository }: RecordingOptions): WorkPlace {
  return { directory: cwd, hub: repository };
}

function tasksOf({ files }: RecordingOptions, { tasksFile }: TurnRequest): string | undefined {
  if (tasksFile === undefined) return undefined;
  const read = files.read(tasksFile, DOCUMENT_BYTES_MAX);
  return read.ok && read.value !== undefined ? new TextDecoder().decode(read.value) : undefined;
}

/** Saves a turn and updates the cassette, under a lock because all roles write into the same directory. */
async function saveTurn(
  { files, locks, directory }: Recording,
  { outputBase }: TurnRequest,
  turn: RecordedTurn,
): Promise<void> {
  const turns = join(directory, "turns");
  const made = files.makeDirectory(turns);
  if (!made.ok) return;
  const path = join(turns, `${basename(outputBase)}.json`);
  const written = files.replace(path, Buffer.from(`${JSON.stringify(turn, undefined, 2)}\n`));
  if (!written.ok) return;
  const cassette = join(directory, "cassette.yaml");
  await locks.withLock(cassette, () => {
    const text = encodeCassette(assembleCassette(readTurns(files, turns)));
    return files.replace(cassette, Buffer.from(text));
  });
}

const TURN_BYTES_MAX = 64 * 1024 * 1024;

/** All recorded turns, in the order of the times in their file names. */
function readTurns(files: Files, directory: string): readonly RecordedTurn[] {
  const names = files.list(directory);
  if (!names.ok) return [];
  return names.value.flatMap((name) => {
    const read = name.endsWith(".json") ? files.read(join(directory, name), TURN_BYTES_MAX) : names;
    if (!read.ok || !(read.value instanceof Uint8Array)) return [];
    const turn = RecordedTurn.safeParse(jsonOf(new TextDecoder().decode(read.value)));
    return turn.success ? [turn.data] : [];
  });
}
