import type { CliProfile } from "../cli-profile.ts";
import type { TurnFailure } from "./failure-class.ts";
import type { TurnEnd } from "./judge-end.ts";

/** A failed turn, and the limits that applied to it. */
export interface FailedTurn {
  readonly failure: TurnFailure;
  readonly end: TurnEnd;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly startTimeoutMs: number;
}

/** Describes for people why a turn failed; the CLI's own message comes last. */
export function failureWords(
  profile: Pick<CliProfile, "name" | "login">,
  turn: FailedTurn,
): string {
  const { failure } = turn;
  const detail = failure.message === "" ? "" : `: ${failure.message}`;
  switch (failure.class) {
    case "auth":
      return `${profile.name} has no valid login (${profile.login})${detail}`;
    case "limited":
      return `${profile.name} is at its limit${detail}`;
    case "overloaded":
      return `the provider of ${profile.name} is overloaded${detail}`;
    case "network":
      return `${profile.name} does not reach its provider${detail}`;
    case "context-too-long":
      return `the context is too long for the model${detail}`;
    case "no-session":
      return `${profile.name} does not know the session to resume${detail}`;
    case "refused-permission":
      return `${profile.name} was refused${detail}`;
    case "unseen":
      return `${profile.name} cannot have seen the change that it was asked about${detail}`;
    case "gibberish":
      return `${profile.name} gave no usable answer${detail}`;
    case "hang":
    case "crash":
      return `${describeEnd(turn)}${detail}`;
  }
}

function describeEnd({ end, timeoutMs, idleTimeoutMs, startTimeoutMs }: FailedTurn): string {
  switch (end.kind) {
    case "exited":
      return end.exitCode === 0 ? "ended without a result" : `exited with code ${end.exitCode}`;
    case "killed":
      return `was killed by ${end.signalName}`;
    case "timed-out":
      return `was ended after ${secondsOf(timeoutMs)}, its time limit`;
    case "idle":
      return `was ended because it said nothing for ${secondsOf(idleTimeoutMs)}`;
    case "mute":
      return `was ended because it did not say a word within ${secondsOf(startTimeoutMs)} of its start`;
  }
}

function secondsOf(ms: number): string {
  return `${String(Math.round(ms / 1_000))} s`;
}
