import {
  isForcing,
  isLeaving,
  isOwnerHome,
  lastMovedOf,
  type HandoverFiles,
  type HandoverHome,
  type HandoverRefusal,
  type HandoverSide,
  type HandoverStep,
} from "./handover.ts";

/** What a mover knows. It remembers nothing else: whoever runs the same command finds the same next step. */
export interface Handover {
  /** The other side. */
  readonly from: HandoverSide;
  /** The side that is to own the session. */
  readonly to: HandoverSide;
  /** What `to` has in comparison to `from`; undefined if not both are found with a home. */
  readonly files: HandoverFiles | undefined;
  /** Names a new move, if this step begins one. */
  readonly id: string;
  /** The person accepts that what cannot be reached, or only the other side has, is lost. */
  readonly isForced: boolean;
}

/** A side that was found with a home. */
interface HomeSide extends HandoverSide {
  readonly found: HandoverHome & {
    readonly kind: "home";
    readonly arrived: readonly string[];
  };
}

/**
 * The next step of moving a session to a side, from what is found at both. Do the step, look again, and ask again, until
 * it is `done` or a refusal. Killed anywhere, begun again at either side, or run twice at once, it goes on with the move
 * that is under way, whose id is that of the last `moved` record. A move that is under way the other way round is
 * undone if it still can be, and finished first if not.
 */
export function nextHandoverStep(move: Handover): HandoverStep {
  const { from, to } = move;
  const source = homeOf(from);
  const target = homeOf(to);
  const isFromOwner = source !== undefined && isOwnerHome(source.found);
  const isToOwner = target !== undefined && isOwnerHome(target.found);
  if (isFromOwner && isToOwner) return stepOfTwoOwners(move, source, target);
  if (isToOwner) return tidyUp(move, from);
  if (isFromOwner) return leave(move, source);
  if (target !== undefined && isLeaving(to.name, target.found)) {
    const after = lastMovedOf(target.found)?.id;
    if (after !== undefined) return { kind: "own", at: to.name, id: after, after, how: "kept" };
  }
  if (source !== undefined && isLeaving(from.name, source.found)) return handOver(move, source);
  const { files } = move;
  return (
    finish(source, target, files) ??
    finish(target, source, flipped(files)) ??
    takeByForce(move, target)
  );
}

function homeOf(side: HandoverSide): HomeSide | undefined {
  const { found } = side;
  return found.kind === "home" ? { ...side, found } : undefined;
}

function refuse(at: HandoverSide, why: HandoverRefusal["why"]): HandoverRefusal {
  return { kind: "refuse", at: at.name, why };
}

/** The side whose log has the other's last move and a later one was given the session by force: the other is told. */
function stepOfTwoOwners({ isForced }: Handover, from: HomeSide, to: HomeSide): HandoverStep {
  const isFromLater = isLater(from.found, to.found);
  if (isFromLater === isLater(to.found, from.found) && !isForced) return refuse(from, "two-owners");
  const { name: at, found } = isFromLater ? to : from;
  if (found.isAtWork) return { kind: "stop-roles", at };
  return { kind: "mirror-back", at, after: lastMovedOf(found)?.id, isStale: true };
}

function isLater({ moves }: HandoverHome, other: HandoverHome): boolean {
  const last = lastMovedOf(other);
  const place = last === undefined ? -1 : moves.findIndex(({ id }) => id === last.id);
  return place < moves.length - 1 && (last === undefined || place >= 0);
}

/** `to` owns the session: what is left of it at the other side becomes a mirror, or goes. */
function tidyUp({ files, isForced }: Handover, from: HandoverSide): HandoverStep {
  const left = homeOf(from);
  if (left === undefined) {
    const unfinished = from.found.kind === "unreachable" ? from.name : undefined;
    return { kind: "done", unfinished };
  }
  const isAll = files === "same" || files === "ahead" || isForced;
  return clear(left, isAll) ?? { kind: "done", unfinished: undefined };
}

/**
 * What remains to be done at a side that was left; undefined if nothing does.
 *
 * @param isAll whether the owner has all its records, or may lose them
 */
function clear({ name: at, isKept, found }: HomeSide, isAll: boolean): HandoverStep | undefined {
  const isMirror = found.place?.mirrors !== undefined;
  if (isKept && isMirror) return undefined;
  if (!isAll) return { kind: "refuse", at, why: "holds-more" };
  if (isMirror) return { kind: "destroy", at };
  return { kind: "mirror-back", at, after: lastMovedOf(found)?.id, isStale: false };
}

/** `from` owns the session: makes sure of the new side, and fences the old one. */
function leave({ to, files, isForced, id }: Handover, from: HomeSide): HandoverStep {
  const { name: at, found } = from;
  if (to.found.kind === "unreachable") return refuse(to, "unreachable");
  if (to.found.kind === "gone") return { kind: "create", at: to.name };
  const left = homeOf(to);
  const isAll = files === "same" || files === "behind" || isForced;
  if (left !== undefined && !isAll) return refuse(to, "holds-more");
  const cleared = left === undefined ? undefined : clear(left, isAll);
  if (cleared !== undefined) return cleared;
  if (found.isAtWork) return { kind: "stop-roles", at };
  const record = { to: to.name, id };
  return { kind: "append-moved", at, record, after: lastMovedOf(found)?.id };
}

/** `from` is leaving: sends what it has, and gives up its say once all of it is at the new side. */
function handOver({ to, files, isForced }: Handover, from: HomeSide): HandoverStep {
  const last = lastMovedOf(from.found);
  if (last?.to !== to.name) return refuse(from, "elsewhere");
  const { found, name: at } = to;
  if (found.kind === "unreachable") return refuse(to, "unreachable");
  if (found.kind === "gone") return { kind: "create", at };
  const left = homeOf(to);
  const isMore = files === "ahead" || files === "forked";
  if (left !== undefined) {
    if (isMore && !isForced) return refuse(to, "holds-more");
    if (!to.isKept && left.found.place?.mirrors !== undefined) return { kind: "destroy", at };
    if (files === "same") {
      return { kind: "mirror-back", at: from.name, after: last.id, isStale: false };
    }
  }
  const { id } = last;
  if (found.arrived.includes(id)) {
    const forcedAfter = isMore && left !== undefined ? lastMovedOf(left.found)?.id : undefined;
    return { kind: "check", at, id, forcedAfter };
  }
  return { kind: "send", at, from: from.name, id };
}

/**
 * The old side has given up its say, and the new one has the record that makes it the owner, but is not: it never was,
 * and becomes it now, whatever is asked for. If its place was lost and made anew meanwhile, files are sent again.
 */
function finish(
  old: HomeSide | undefined,
  next: HomeSide | undefined,
  files: HandoverFiles | undefined,
): HandoverStep | undefined {
  if (old === undefined || next === undefined) return undefined;
  // A person began to use force at the old side, and did not end it.
  const hasNoSay = old.found.place?.mirrors !== undefined || isForcing(old.found);
  const { name: at, isKept, found } = next;
  const last = lastMovedOf(found);
  const isLeft = !isKept && found.place?.mirrors !== undefined;
  if (!hasNoSay || last?.to !== at || isLeft) return undefined;
  const { id } = last;
  if (lastMovedOf(old.found)?.id !== id) return undefined;
  if (files === "same") return { kind: "own", at, id, after: id, how: "moved" };
  if (files !== "behind") return undefined;
  if (found.arrived.includes(id)) return { kind: "check", at, id, forcedAfter: undefined };
  return { kind: "send", at, from: old.name, id };
}

/** The same comparison, seen from the other home. */
function flipped(files: HandoverFiles | undefined): HandoverFiles | undefined {
  if (files === "behind") return "ahead";
  return files === "ahead" ? "behind" : files;
}

/** Nobody who can be reached owns the session or may give it away. */
function takeByForce(
  { from, to, id, isForced }: Handover,
  home: HomeSide | undefined,
): HandoverStep {
  if (to.found.kind === "unreachable") return refuse(to, "unreachable");
  if (home === undefined) {
    if (from.found.kind === "unreachable") return refuse(from, "unreachable");
    return from.found.kind === "home" ? refuse(to, "gone") : refuse(to, "no-home");
  }
  if (from.found.kind === "unreachable" && !isForced) return refuse(from, "unreachable");
  if (!isForced) return refuse(from, "gone");
  const { name: at, found } = home;
  const after = lastMovedOf(found)?.id;
  const own = found.place?.moved;
  if (own !== undefined && isForcing(found)) {
    return { kind: "append-moved", at, record: { to: at, id: own }, after };
  }
  return { kind: "own", at, id, after, how: "forced" };
}
