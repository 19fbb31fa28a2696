import type { Oid } from "../../base/oid.ts";

/** How a session ended. */
export interface Done {
  readonly how: "complete" | "stuck";
  readonly head: Oid;
  readonly human: number;
  readonly open: readonly string[];
  readonly gaveup: readonly string[];
  readonly failed: readonly string[];
  readonly reason: string;
}

/** Why the builder cannot continue. */
export interface Halt {
  readonly reason: string;
  readonly explanation: string;
}

/**
 * The stage of a session, with the data that exist only in that stage; only the builder changes it
 * (docs/PROTOCOL.md, "Phases").
 */
export type BuilderStage =
  | { readonly kind: "plan" }
  | { readonly kind: "build" }
  /** `openedMs`: time of the record that opened the window, in milliseconds since 1970. */
  | { readonly kind: "window"; readonly openedMs: number }
  | {
      readonly kind: "fix";
      readonly list: readonly string[];
      /** The items on the list that share a turn, unless that turn has ended. */
      readonly batches: readonly (readonly string[])[];
    }
  | { readonly kind: "final" }
  | { readonly kind: "halt"; readonly halt: Halt }
  /** `halt`: the halt that led to the end. */
  | { readonly kind: "done"; readonly end: Done; readonly halt: Halt | undefined };

/** The name of a stage. */
export type Phase = BuilderStage["kind"];

interface Staged {
  readonly stage: BuilderStage;
}

/** Returns the last end in the builder's log, even if the session was reopened since. */
export function lastEndOf({ stage }: Staged): Done | undefined {
  return stage.kind === "done" ? stage.end : undefined;
}

/**
 * Returns why the builder halted, even if the session has ended because of it; undefined if it did
 * not halt.
 */
export function haltOf({ stage }: Staged): Halt | undefined {
  return stage.kind === "halt" || stage.kind === "done" ? stage.halt : undefined;
}

/** Whether no milestone is left to build: only the final pass or the end follows. */
export function isAtEnd({ stage }: Staged): boolean {
  return stage.kind === "final" || stage.kind === "halt";
}

/** Returns the items of the next or current fix turn: the first on the list, with its batch. */
export function currentFix({ stage }: Staged): readonly string[] {
  if (stage.kind !== "fix") return [];
  const { list, batches } = stage;
  return batches.find((batch) => batch.includes(list[0] ?? "")) ?? list.slice(0, 1);
}
