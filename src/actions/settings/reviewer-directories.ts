import { dirname, join } from "node:path";
import type { World } from "../../workspace/world.ts";

/** The shipped prompt templates: next to `dist`, in the package. */
export function shippedTemplates({ entry }: Pick<World, "entry">): string {
  return join(dirname(dirname(entry)), "templates");
}

/** The directories of a repository's reviewers: the user's own, then the shipped ones. */
export function reviewerDirectories(
  world: Pick<World, "entry">,
  repository: string,
): readonly [string, string] {
  return [join(repository, ".wisp", "reviewers"), join(shippedTemplates(world), "reviewers")];
}
