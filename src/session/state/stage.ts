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

/** Why the builder cannot go on. */
export interface Halt {
  readonly reason: string;
  readonly explanation: string;
}

/** Where a session stands, with what means something only there; the builder alone changes it (coordination, section 4). */
export type BuilderStage =
  | { readonly kind: "plan" }
  | { readonly kind: "build" }
  /** `openedMs`: time of the record that opened it, in ms since 1970. */
  | { readonly kind: "window"; readonly openedMs: number }
  | {
      readonly kind: "fix";
      readonly list: readonly string[];
      /** Those on the list that share a turn, unless their turn has ended. */
      readonly batches: readonly (readonly string[])[];
    }
  | { readonly kind: "final" }
  | { readonly kind: "halt"; readonly halt: Halt }
  /** `halt`: that of which the end came. */
  | { readonly kind: "done"; readonly end: Done; readonly halt: Halt | undefined };

/** Its name. */
export type Phase = BuilderStage["kind"];

interface Staged {
  readonly stage: BuilderStage;
}

/** The end that stands last in the builder's log, also where something has reopened it since. */
export function lastEndOf({ stage }: Staged): Done | undefined {
  return stage.kind === "done" ? stage.end : undefined;
}

/** Why the builder halted, if it did, also when the session has ended by that. */
export function haltOf({ stage }: Staged): Halt | undefined {
  return stage.kind === "halt" || stage.kind === "done" ? stage.halt : undefined;
}

/** Whether nothing more is built: all that is left is to look at the whole, or to end. */
export function isAtEnd({ stage }: Staged): boolean {
  return stage.kind === "final" || stage.kind === "halt";
}

/** What the next fix turn is about, or the one under way: the first on the list, with its batch. */
export function currentFix({ stage }: Staged): readonly string[] {
  if (stage.kind !== "fix") return [];
  const { list, batches } = stage;
  return batches.find((batch) => batch.includes(list[0] ?? "")) ?? list.slice(0, 1);
}
