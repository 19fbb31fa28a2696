import { attempted, need } from "../../base/fatal.ts";
import { explain } from "../../base/explain.ts";
import { EXIT } from "../../base/exit-code.ts";
import { GRANTS_AT_ONCE_MAX } from "../../base/limits.ts";
import { shown } from "../../base/words/shown.ts";
import { waitsForPerson } from "../../agents/supervisor/session-facts.ts";
import { nextGrant, type Grant } from "../../session/rules/next-grant.ts";
import { budgetText } from "../../session/rules/share-budget.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { fleetMember } from "../../session/steps/fleet-member.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import { readState } from "../../workspace/session/read-state.ts";
import {
  listSessions,
  readSession,
  workTreeAround,
  type FoundSession,
} from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { sayThere } from "../elsewhere/say-there.ts";
import { ensureRunning } from "../up/ensure-running.ts";
import { recordGiven, recordGranted } from "./record-share.ts";

/** What whoever runs a fleet knows of it that its records do not say. */
export interface FleetWords {
  /** The ids of sessions that have failed and are not run again: what they did not use may be granted, too. */
  readonly givenUp?: readonly string[] | undefined;
}

/**
 * Grants what the finished sessions of a fleet did not use of their budgets to those that need it, and has those go on
 * that had stopped for it. The sessions are those of the work tree around `world.cwd`, here and elsewhere. Any number of
 * processes may do so at once, and any may be killed anywhere: the next one completes what was given and not yet granted.
 * A session that cannot be read or reached is left out, and named. Returns the grants that were recorded.
 */
export async function grantUnused(
  world: World,
  fleet: string,
  { givenUp = [] }: FleetWords = {},
): Promise<readonly Grant[]> {
  const granted: Grant[] = [];
  const left = new Set<string>();
  for (let count = 0; count < GRANTS_AT_ONCE_MAX; count++) {
    const members = await readFleet(world, fleet, new Set(givenUp), left);
    const grant = pendingGrant(members, left) ?? decided(members);
    if (grant === undefined) {
      await continueGranted(world, members);
      break;
    }
    if (await pass(world, members, grant, left)) granted.push(grant.share);
  }
  return granted;
}

interface Member {
  readonly found: FoundSession;
  readonly state: SessionState;
  readonly isGivenUp: boolean;
  /** Whether a process of the session runs here: then it gives nothing yet. */
  readonly isAlive: boolean;
}

/** The sessions of a fleet that can be read, but not those in `left`. */
async function readFleet(
  world: World,
  fleet: string,
  givenUp: ReadonlySet<string>,
  left: Set<string>,
): Promise<readonly Member[]> {
  const { files } = world.host;
  const repository = workTreeAround(files, world.cwd);
  if (repository === undefined) return [];
  const members: Member[] = [];
  for (const home of need(listSessions(files, repository))) {
    const read = readSession(files, home);
    // A session that is damaged is in no fleet as far as anybody can tell.
    if (!read.ok || read.value.session.fleet !== fleet) continue;
    const found = read.value;
    const { id } = found.session;
    if (left.has(id)) continue;
    const isAlive = (await readLeases(world.host, home)).size > 0;
    const state = await readState(world, found);
    if (state.ok) {
      members.push({ found, state: state.value.state, isGivenUp: givenUp.has(id), isAlive });
    } else leaveOut(world, left, id, explain(state.failure).message);
  }
  return members;
}

function leaveOut({ tell }: World, left: Set<string>, id: string, why: string): void {
  left.add(id);
  tell(`${shown(id)} was left out when budgets were shared: ${why}`);
}

/** What is to be recorded next: that a share is given, or that it is granted. */
interface Passing {
  readonly step: "give" | "grant";
  readonly share: Grant;
}

/** A share that was given and has not reached its receiver; before anything new is given. */
function pendingGrant(members: readonly Member[], left: ReadonlySet<string>): Passing | undefined {
  const granted = new Map(
    members.map(({ found, state }) => [found.session.id, state.human.granted] as const),
  );
  const pending = members
    .flatMap(({ found, state }) =>
      state.human.given.map(({ id, session: to, amounts }) => {
        return { id, from: found.session.id, to, amounts };
      }),
    )
    // One whose receiver cannot be read or reached now is granted by a later look.
    .filter(({ to }) => granted.has(to) && !left.has(to))
    .find(({ id, to }) => granted.get(to)?.every((share) => share.id !== id));
  return pending && { step: "grant", share: pending };
}

function decided(members: readonly Member[]): Passing | undefined {
  const fleet = members.flatMap(({ found, state, isGivenUp, isAlive }) => {
    const member = fleetMember(found.session.id, state, isGivenUp);
    if (member === undefined) return [];
    const mayNotGive = member.stage === "finished" && isAlive;
    return [mayNotGive ? { ...member, stage: "idle" as const } : member];
  });
  const share = nextGrant(fleet);
  return share && { step: "give", share };
}

/** Records one half of a share where its session runs; returns whether that was the half that grants it. */
async function pass(
  world: World,
  members: readonly Member[],
  { step, share }: Passing,
  left: Set<string>,
): Promise<boolean> {
  const whose = step === "give" ? share.from : share.to;
  const member = members.find(({ found }) => found.session.id === whose);
  if (member === undefined) return false;
  const recorded = await attempted(() => record(world, member, { step, share }));
  if (!recorded.ok) leaveOut(world, left, whose, explain(recorded.failure).message);
  // If the link is broken, the record may be there without being here; the next look finds it.
  else if (member.found.mirrors !== undefined && !(await isHere(world, member, { step, share })))
    left.add(whose);
  return recorded.ok && step === "grant";
}

async function record(
  world: World,
  { found, isGivenUp }: Member,
  { step, share }: Passing,
): Promise<void> {
  const { session, mirrors } = found;
  if (mirrors === undefined) {
    return step === "give"
      ? recordGiven(world, found, share, isGivenUp)
      : recordGranted(world, found, share);
  }
  const peer = step === "give" ? ["--to", share.to] : ["--from", share.from];
  const words = ["--share", share.id, ...peer, "--amounts", budgetText(share.amounts)];
  const more = step === "give" && isGivenUp ? ["--given-up"] : [];
  return sayThere(world, found, ["far", step, session.id, ...words, ...more]);
}

async function isHere(world: World, { found }: Member, { step, share }: Passing): Promise<boolean> {
  const read = await readState(world, found);
  if (!read.ok) return false;
  const { given, granted } = read.value.state.human;
  return (step === "give" ? given : granted).some(({ id }) => id === share.id);
}

/** Starts those again that had stopped at their budgets, also if whoever granted them more was killed. */
async function continueGranted(world: World, members: readonly Member[]): Promise<void> {
  const nowMs = world.host.clock.nowMs();
  for (const { found, state } of members) {
    const { human, supervisor } = state;
    const isWaiting =
      human.granted.length > 0 &&
      !human.stopped &&
      endOf(state) === undefined &&
      supervisor.lastEnd?.code === EXIT.inputNeeded &&
      waitsForPerson(state, nowMs) === undefined;
    if (!isWaiting) continue;
    const continued = await attempted(() => ensureRunning(world, found, { isStopped: false }));
    if (!continued.ok) world.tell(explain(continued.failure).message);
  }
}
