import type { z } from "zod";
import { roleLog } from "../../fs-protocol/home/home.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { notesOf } from "../home/notes-of.ts";
import { Projector, type ProjectorOptions } from "../home/projector.ts";
import type { TurnContext } from "../turn/turn.ts";

/** What a role is, to the loop that runs it. `Work`: its steps that are neither a wait nor the end. */
export interface RoleMain<Work> {
  /** Where there is no first step: the files that people read are brought up to the journal. */
  readonly reconcile?: () => Promise<void>;
  /** Once, before the first step: projections compared with the journal, preparations. */
  readonly start: (state: SessionState) => Promise<void>;
  /** Does one step to its end, records and projections included. */
  readonly perform: (work: Work, state: SessionState) => Promise<void>;
  /** After each fresh look at the files, before the decision. */
  readonly settle?: (state: SessionState) => void;
}

/** Keeps the files that follow from a role's journal in step with it. */
export function roleProjector<S extends z.ZodType, F>(
  context: TurnContext,
  source: Pick<ProjectorOptions<S, F>, "schema" | "empty" | "reduce" | "project">,
): Projector<S, F> {
  const { files, locks } = context.ports;
  const path = roleLog(context.home, context.role);
  return new Projector({ files, locks, path, ...source, notes: notesOf(context) });
}
