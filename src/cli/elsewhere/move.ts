import { ensureFollower } from "../../actions/elsewhere/ensure-follower.ts";
import { startFollowing } from "../../actions/elsewhere/keep-followed.ts";
import { takeFromFollower } from "../../actions/elsewhere/take-from-follower.ts";
import { farEnd, type FarEnd } from "../../actions/move/far-end.ts";
import {
  moveSession,
  previewMove,
  type MoveEnded,
  type Moving,
} from "../../actions/move/move-session.ts";
import { LeftUnreached, MoveHereFirst } from "../../actions/move/move-words.ts";
import { movingNote, noteMoving } from "../../actions/move/moving-note.ts";
import { HERE } from "../../actions/move/own-side.ts";
import { unfinishedRevision } from "../../actions/revise/create-revision.ts";
import { PlaceHolds, placeHoldsLine } from "../../actions/elsewhere/place-holds.ts";
import { ensureRunning } from "../../actions/up/ensure-running.ts";
import { EXIT } from "../../base/exit-code.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { fail, ok } from "../../base/result.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import { goOnThere } from "../../remote/follow/mirror-session.ts";
import { openMirrored } from "../../remote/open-mirrored.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession, topSession } from "../../workspace/find-session.ts";
import { sessionClosed } from "../../workspace/session/append-human.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { Usage } from "../../workspace/usage.ts";
import { readSession, type FoundSession } from "../../workspace/sessions.ts";

interface MoveOptions {
  readonly session: string | undefined;
  /** An executor, or `here`. */
  readonly to: string | undefined;
  readonly force: boolean;
  readonly yes: boolean;
  /** Only says what it would do. */
  readonly dryRun: boolean;
}

/** `wisp move`: moves a session to another machine, or back, while it runs. */
export async function move(cli: Cli, options: MoveOptions): Promise<Outcome> {
  const { session, to, force, yes, dryRun } = options;
  if (session === undefined || to === undefined) {
    const problem =
      "name a session, and where it is to move: an executor as after start --on, or here";
    return fail(Usage({ problem }));
  }
  const named = need(findSession(cli.host.files, cli.cwd, session));
  const found = need(topSession(cli.host.files, cli.cwd, named));
  const { id } = found.session;
  const { closed, moved } = need(await readState(cli, found)).state.human;
  const isTidied = to === HERE && movingNote(cli.host.files, found.home) !== undefined;
  if (closed !== undefined && !isTidied) throw new CannotGoOn(sessionClosed(id, closed));
  const at = placeOf(cli, found);
  if (to === HERE && at === undefined) {
    // The command that brought it back may have been killed before it went on.
    if (moved?.to === HERE && !dryRun) return endHere(cli, found);
    cli.terminal.err(`${id} is here already.`);
    return ok(EXIT.ok);
  }
  const asked = { found, to, isForced: force, isSure: yes };
  if (to !== HERE && at !== undefined && at !== to) {
    if (force) throw new CannotGoOn(MoveHereFirst({ session: id, at, to }));
    return moveOn(cli, { ...asked, at, dryRun });
  }
  const far = await farEnd(cli, found, at ?? to);
  const moving = { ...asked, far };
  if (dryRun) {
    cli.terminal.out(await previewMove(cli, moving));
    return ok(EXIT.ok);
  }
  const stays = await moveAlone(cli, moving);
  if (stays !== undefined) cli.tell(placeHoldsLine(stays));
  tellOfEngines(cli);
  return to === HERE ? endHere(cli, found) : endThere(cli, found, far);
}

interface MovingOn extends Omit<Moving, "far"> {
  /** The executor that it leaves. */
  readonly at: string;
  readonly dryRun: boolean;
}

/**
 * Moves a session from one place to another: here, where nothing of it is started, and on. Killed anywhere, the same
 * command finds it at the one place, here, or on its way to the other, and goes on.
 */
async function moveOn(cli: Cli, { at, dryRun, ...asked }: MovingOn): Promise<Outcome> {
  const { found, to } = asked;
  const { id } = found.session;
  // Before it leaves the one place: the other has to be described at least.
  await farEnd(cli, found, to);
  const back = { ...asked, to: HERE, goal: to, far: await farEnd(cli, found, at) };
  if (dryRun) {
    cli.terminal.out(await previewMove(cli, back));
    cli.terminal.out(
      `Then, without going on here, it would move it to ${shown(to)} in the same way.`,
    );
    return ok(EXIT.ok);
  }
  const stays = await moveAlone(cli, back);
  if (stays !== undefined) {
    if (found.mirrors !== undefined) cli.tell(standsStill(id, { at, to }));
    throw new CannotGoOn(PlaceHolds(stays));
  }
  const here = need(readSession(cli.host.files, found.home));
  if (placeOf(cli, here) !== undefined) {
    throw new CannotGoOn(LeftUnreached({ session: id, at, to }));
  }
  const far = await farEnd(cli, here, to);
  try {
    await moveAlone(cli, { ...asked, found: here, far });
  } catch (thrown) {
    const left = readSession(cli.host.files, found.home);
    if (left.ok && left.value.mirrors === undefined) cli.tell(standsStill(id, { at, to }));
    throw thrown;
  }
  tellOfEngines(cli);
  return endThere(cli, here, far);
}

function standsStill(id: string, { at, to }: { readonly at: string; readonly to: string }): string {
  return (
    `${id} has left ${shown(at)}, and did not reach ${shown(to)}: nothing of it runs now. ` +
    `To go on here: wisp move ${shellWord(id)} here`
  );
}

function tellOfEngines(cli: Cli): void {
  cli.tell("Engines begin new conversations, and are told what was done before.");
}

/** The executor at which the session is, or is about to be. */
function placeOf({ host: { files } }: Cli, { home, mirrors }: FoundSession): string | undefined {
  return movingNote(files, home)?.executor ?? mirrors?.executor;
}

/** Moves it while nothing here follows the session. If that fails, what is still elsewhere is followed again. */
async function moveAlone(cli: Cli, moving: Moving): Promise<MoveEnded["stays"]> {
  try {
    return await moveUnfollowed(cli, moving);
  } catch (thrown) {
    const left = readSession(cli.host.files, moving.found.home);
    if (left.ok) await startFollowing(cli, left.value);
    throw thrown;
  }
}

/** Moves it, and tidies up what the move noted; why the place that it left stays, if it does. */
async function moveUnfollowed(cli: Cli, moving: Moving): Promise<MoveEnded["stays"]> {
  const { found, far, to } = moving;
  const { files } = cli.host;
  const { home, mirrors } = found;
  const lease = await takeFromFollower(cli, { home });
  try {
    if (mirrors !== undefined && movingNote(files, home) === undefined) {
      const { executor, ...place } = mirrors;
      noteMoving(files, home, { version: 1, executor, place });
    }
    const ended = await moveSession(cli, moving);
    if (ended.unfinished !== undefined) {
      const name = shown(far.executor.name);
      const { id } = found.session;
      cli.tell(
        `${id} may still be running on ${name}. When ${name} can be reached again, end that with: wisp move ${id} here`,
      );
      return undefined;
    }
    if (ended.stays !== undefined) return ended.stays;
    // A place to which the session never came.
    if (to === HERE && ended.far.kind === "empty") await far.destroy();
    noteMoving(files, home, undefined);
    return undefined;
  } finally {
    await lease.release();
  }
}

async function endHere(cli: Cli, { home }: FoundSession): Promise<Outcome> {
  const found = need(readSession(cli.host.files, home));
  const current = (await unfinishedRevision(cli, found)) ?? found;
  const { state } = need(await readState(cli, current));
  cli.terminal.err(`${found.session.id} is here.`);
  if (endOf(state) !== undefined) return ok(EXIT.ok);
  await ensureRunning(cli, current, { isStopped: state.human.stopped });
  return ok(EXIT.ok);
}

async function endThere(cli: Cli, { home, session }: FoundSession, far: FarEnd): Promise<Outcome> {
  const { id, repository } = session;
  const mirrored = need(await openMirrored(cli, { repository, id }));
  need(await goOnThere(mirrored));
  await ensureFollower(cli, { id, home, repository });
  const { name } = far.executor;
  cli.terminal.err(`${id} is on ${shown(name)}. To watch it: wisp up ${id}`);
  return ok(EXIT.ok);
}
