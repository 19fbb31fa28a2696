import type { ProjectFacts } from "../../base/ports/project-facts.ts";
import type { Missing, CommandsAtBase } from "./missing.ts";
import { neededIgnored } from "./needed-files.ts";
import { unbuilt } from "./unbuilt.ts";
import { emptySubmodules, lfsPointers } from "./unfetched.ts";
import { uninstalled } from "./uninstalled.ts";
import type { FilterSession } from "../../work/unfiltered.ts";
import { withheldHere } from "./withheld.ts";

/**
 * What wisp's copies of a commit lack, as far as that needs no run. Only what the commit's own files say is needed is
 * reported, so that usual projects hear nothing; these are hints for people, and nothing is decided by them.
 */
export function findMissing(
  facts: ProjectFacts,
  commands: CommandsAtBase,
  agents: FilterSession = {},
): readonly Missing[] {
  const needed = neededIgnored(facts, commands);
  const isBuildNamed = needed.some(({ kind }) => kind === "built");
  return [
    ...emptySubmodules(facts, commands),
    ...lfsPointers(facts, commands),
    ...withheldHere(facts, agents),
    ...uninstalled(facts, commands, { isMissed: false }),
    ...(isBuildNamed ? [] : unbuilt(facts, commands)),
    ...needed,
    ...notSearched(facts),
  ];
}

/** Says which limits were reached: something beyond them may be missing. */
function notSearched({ unread }: ProjectFacts): readonly Missing[] {
  if (unread.length === 0) return [];
  return [
    {
      kind: "not-searched",
      what: `there is too much to look for all that may be missing: ${unread.join(", ")} were left out`,
      where: "",
      remedy: "If verify fails at the start, see what it names.",
    },
  ];
}
