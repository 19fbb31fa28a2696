import { reopens, type HumanFold } from "./fold-human.ts";
import { lastEndOf, type Done, type BuilderStage } from "./stage.ts";

/** What says whether a session is over. */
export interface Ended {
  readonly builder: { readonly stage: BuilderStage };
  readonly human: HumanFold;
}

/** How a session ended, unless something has reopened it since. */
export function endOf({ builder, human }: Ended): Done | undefined {
  const done = lastEndOf(builder);
  return done === undefined || reopens(human, done) ? undefined : done;
}
