import type { LookNetwork } from "../../fs-protocol/records/look-record.ts";
import { isNoWorse } from "../verify/no-worse.ts";
import type { SuiteBefore } from "./judge-run.ts";
import type { SuiteLook } from "./settle-looks.ts";

/** A look, as far as the choice of its network depends on it. */
export type NetworkedLook = SuiteLook & {
  /** Undefined if the sandbox leaves no choice: then it is the machine's. */
  readonly network: LookNetwork | undefined;
  /** How many tests ran; undefined if the output does not say. */
  readonly ran: number | undefined;
};

/** What the choice depends on besides the looks. */
export interface NetworkWanted {
  /** The network of the first look; undefined if the sandbox leaves no choice. */
  readonly first: LookNetwork | undefined;
  readonly before: SuiteBefore | undefined;
}

/** On which network looks decide, as far as it is known. */
export interface NetworkChoice<Look> {
  /** The network of the next look, if one is needed. */
  readonly network: LookNetwork;
  /** The looks that decide, all on the same network; none if it is not known yet which. */
  readonly counted: readonly Look[];
}

/**
 * Which looks at one tree count, and on which network the next one runs. A suite that needs no more than a loopback of
 * its own is judged there, where nobody else holds its ports. If it is red there, does not end in time, or runs fewer
 * tests, one look with the machine's network follows: that network decides from then on, unless it is sure that the
 * suite gains nothing by it. So at most one look is added, and no test is red for the want of a network. Pure.
 */
export function chooseNetwork<Look extends NetworkedLook>(
  looks: readonly Look[],
  { first, before }: NetworkWanted,
): NetworkChoice<Look> {
  if (first !== "own") return { network: "machine", counted: looks };
  const added = looks.findIndex(({ network }) => network !== "own");
  const own = looks.at(added < 0 ? -1 : added - 1);
  if (own === undefined) return { network: "own", counted: [] };
  if (added < 0) {
    return isDoubtful(own, before)
      ? { network: "machine", counted: [] }
      : { network: "own", counted: looks };
  }
  const onMachine = looks.filter(({ network }) => network !== "own");
  const shown = onMachine.find(({ verdict }) => verdict !== "unknown");
  return shown === undefined || needsNetwork(own, shown)
    ? { network: "machine", counted: onMachine }
    : { network: "own", counted: looks.filter(({ network }) => network === "own") };
}

/** Whether a look without the network may have shown the want of one. */
function isDoubtful(own: NetworkedLook, before: SuiteBefore | undefined): boolean {
  switch (own.verdict) {
    case "red":
      return true;
    case "unknown":
      // Whatever else makes a look unknown, no network changes it.
      return own.cause === "time";
    case "none":
      // Were there tests before, it would be red.
      return false;
    case "green": {
      // At the base nothing tells how many tests there are, but a suite may leave out what has no network.
      const isLess = (own.ran ?? 0) < (before?.ran ?? 0);
      return isLess || (own.tally?.skipped ?? 0) > (before?.skipped ?? 0);
    }
  }
}

/** Whether what was red or doubtful on a loopback of its own shows more with the network; also if that cannot be told. */
export function needsNetwork(own: NetworkedLook, machine: NetworkedLook): boolean {
  if (own.verdict === "unknown" || machine.verdict === "unknown") return true;
  if (own.verdict === "red" && machine.verdict !== "red") return true;
  if (own.ran === undefined || machine.ran === undefined || machine.ran > own.ran) return true;
  if (own.verdict !== "red" || machine.verdict !== "red") return false;
  const [after, before] = [
    { ...own, outcome: "failed" },
    { ...machine, outcome: "failed" },
  ] as const;
  return !isNoWorse(after, before, { isRedAccepted: false, removed: 0 });
}
