import { EMPTY_HUMAN, foldHuman, type reopens } from "../../src/session/state/fold-human.ts";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import type { Broken } from "./broken.ts";
import { TIME } from "./names.ts";

/** The result of one of the two small models of the supervisor. */
export interface SmallExploration {
  readonly states: number;
  readonly broken: (Broken & { readonly trace: readonly string[] }) | undefined;
}

type Supervisor =
  | "watching"
  /** All roles have left. */
  | "alone"
  /** It has read all logs to their end: done, and nothing newer. */
  | "leaving"
  /** It has released its lease. */
  | "released"
  | "gone";
type Person = "silent" | "wrote" | "saw the lease" | "started up";

interface Shutdown {
  readonly supervisor: Supervisor;
  readonly person: Person;
  /** Whether human.log has a record on which nothing has acted. */
  readonly isNewer: boolean;
}

/**
 * R14: the supervisor ends while a person's command appends to human.log. If the command appends before it checks the
 * lease, and the supervisor reads once more after it releases the lease, no record is missed. `isSecondLook`: whether
 * the supervisor reads once more.
 */
export function exploreShutdown(isSecondLook: boolean): SmallExploration {
  const seen = new Set<string>();
  const start: Shutdown = { supervisor: "watching", person: "silent", isNewer: false };
  const todo: { readonly at: Shutdown; readonly trace: readonly string[] }[] = [
    { at: start, trace: [] },
  ];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { at, trace } = next;
    const key = JSON.stringify(at);
    if (seen.has(key)) continue;
    seen.add(key);
    if (at.supervisor === "gone" && at.person === "saw the lease") {
      const what = "the human record is lost: nobody is left to act on it";
      return { states: seen.size, broken: { invariant: "L2", what, trace } };
    }
    const moves = [personMove(at), supervisorMove(at, isSecondLook)];
    for (const { label, ...change } of moves.filter((move) => move !== undefined)) {
      todo.push({ at: { ...at, ...change }, trace: [...trace, label] });
    }
  }
  return { states: seen.size, broken: undefined };
}

type ShutdownMove = Partial<Shutdown> & { readonly label: string };

function personMove({ supervisor, person }: Shutdown): ShutdownMove | undefined {
  if (person === "silent") {
    return { label: "a person's command appends to human.log", person: "wrote", isNewer: true };
  }
  if (person !== "wrote") return undefined;
  const isHeld = supervisor !== "released" && supervisor !== "gone";
  if (isHeld) return { label: "it sees the lease held and leaves", person: "saw the lease" };
  return { label: "it sees no lease and starts up", supervisor: "watching", person: "started up" };
}

function supervisorMove(at: Shutdown, isSecondLook: boolean): ShutdownMove | undefined {
  const back = { supervisor: "watching" as const };
  switch (at.supervisor) {
    case "watching": {
      const isQuiet = !at.isNewer || at.person === "silent";
      const label = "all roles see done and leave";
      return isQuiet ? { label, supervisor: "alone" } : undefined;
    }
    case "alone":
      if (at.isNewer) return { label: "it sees the record and starts the roles", ...back };
      return { label: "it reads all: done, nothing newer", supervisor: "leaving" };
    case "leaving":
      return {
        label: "it releases its lease",
        supervisor: isSecondLook ? "released" : "gone",
      };
    case "released":
      if (at.isNewer) return { label: "it reads again: newer, takes the lease back", ...back };
      return { label: "it reads again: nothing newer, exits", supervisor: "gone" };
    case "gone":
      return undefined;
  }
}

/**
 * R25: a person approves after the end. `isNewer`, the shipped predicate or a naive one, decides whether the
 * supervisor starts the roles again.
 */
export function exploreRestarts(isNewer: typeof reopens): SmallExploration {
  const approve: HumanRecord = { kind: "approve", time: TIME };
  const human = foldHuman(EMPTY_HUMAN, approve);
  const done = { how: "complete", human: 0 } as const;
  const trace: string[] = [];
  const seen = new Set<string>();
  let at = "the roles run";
  while (!seen.has(at)) {
    seen.add(at);
    if (at === "the roles run") {
      // Each role decides by the shipped predicate: nothing reopens.
      trace.push("all roles see DONE and nothing that reopens, and exit");
      at = "all have left";
    } else if (isNewer(human, done)) {
      trace.push("the supervisor sees a newer record and starts the roles");
      at = "the roles run";
    } else {
      return { states: seen.size, broken: undefined };
    }
  }
  const what = "the supervisor starts the roles for ever";
  return { states: seen.size, broken: { invariant: "L3", what, trace } };
}
