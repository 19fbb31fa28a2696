import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import type { HeldClone } from "../close/held-clone.ts";

/** Why a place was not removed. */
export interface PlaceHoldsFacts {
  readonly session: string;
  readonly executor: string;
  readonly held: readonly HeldClone[];
  /** The command that removes the place once all was taken from there. */
  readonly again: string;
  /** The command that removes it with all that it holds. */
  readonly byForce: string;
}

/** The place of a session stays, because clones there hold what wisp cannot save. */
export const PlaceHolds = refusal("place-holds", EXIT.failure, (facts: PlaceHoldsFacts) => [
  placeHoldsWords(facts),
  "Move it away from there and run the first command; or give it up with the second:",
  facts.again,
  facts.byForce,
]);

/** The same in one line, for a command that did all the rest. */
export function placeHoldsLine(facts: PlaceHoldsFacts): string {
  const { again, byForce } = facts;
  return `${placeHoldsWords(facts)} Move it away from there and run \`${again}\`; or give it up with \`${byForce}\`.`;
}

function placeHoldsWords({ session, executor, held }: PlaceHoldsFacts): string {
  const all = held.map(({ directory, what }) => `${what.join("; ")} (in ${directory})`);
  return `The place of ${shown(session)} on ${shown(executor)} stays, because it holds what wisp cannot save: ${shown(all.join(", "))}.`;
}

/** The commands by which the place of a closed session goes. */
export function leavingCommands(
  session: string,
  again: string,
): Pick<PlaceHoldsFacts, "again" | "byForce"> {
  return { again, byForce: `wisp prune ${shellWord(session)} --force` };
}
