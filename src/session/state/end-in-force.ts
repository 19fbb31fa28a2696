import { reopens, type HumanFold } from "./fold-human.ts";
import { lastEndOf, type Done, type BuilderStage } from "./stage.ts";

/** The facts that decide whether a session is over. */
export interface Ended {
  readonly builder: { readonly stage: BuilderStage };
  readonly human: HumanFold;
}

/** Returns how a session ended; undefined if it has not ended or was reopened since. */
export function endOf({ builder, human }: Ended): Done | undefined {
  const done = lastEndOf(builder);
  return done === undefined || reopens(human, done) ? undefined : done;
}
