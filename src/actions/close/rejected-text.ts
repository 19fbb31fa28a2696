import type { Rejected } from "./review-decision.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { shellWord } from "../../base/words/shell-word.ts";

/** What became of rejected work, and where all of it is kept. */
export function rejectedText(
  { session, home }: FoundSession,
  { branch, torn, isNew }: Rejected,
): string {
  const kept =
    branch.ref === undefined
      ? [`  gone    ${shellWord(session.branch)}: there is no such branch any more`]
      : [
          `  kept    ${branch.ref}: its commits`,
          `  back    git branch ${shellWord(session.branch)} ${branch.ref}`,
        ];
  const stays =
    branch.kind === "checked-out"
      ? [`  left    the branch: it is checked out in ${branch.directory}`]
      : [];
  return [
    `${session.id} ${isNew ? "is" : "was"} rejected, for good.`,
    ...kept,
    ...stays,
    ...torn.rescues.map((ref) => `  kept    ${ref}: work that the branch did not hold`),
    ...torn.left.map((left) => `  left    ${left}: the branch is gone, so it stays`),
    `  files   ${home.directory}`,
  ].join("\n");
}
