import type { ProjectFacts } from "../../base/ports/project-facts.ts";
import { shown } from "../../base/words/shown.ts";
import { type FilterSession, withheldFilters } from "../../work/unfiltered.ts";
import { fewNames, type Missing } from "./missing.ts";

/**
 * Filters of git that the commit's attributes name and that agents do not have: what they would store differently is
 * not published, and encrypted files stay encrypted in copies.
 */
export function withheldHere(
  { filters, filtered }: ProjectFacts,
  agents: FilterSession,
): readonly Missing[] {
  return withheldFilters(agents, filters).flatMap((name): readonly Missing[] => {
    const paths = filtered.get(name);
    if (paths === undefined) return [];
    const where = fewNames(paths.map(shown));
    const on = where === "" ? "" : `, which runs on ${where}`;
    return [
      {
        kind: "filter",
        what: `agents do not have git's filter ${shown(name)}${on}: what they change there is not published`,
        where,
        remedy: `Keep such changes to yourself; or, if they may be published unfiltered, name \`filters: [${shown(name)}]\` in ~/.config/wisp/config.yaml.`,
      },
    ];
  });
}
