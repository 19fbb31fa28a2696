import type { Rejected } from "./review-decision.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { plainText, row } from "../../views/rows/row.ts";
import { namedRows, type Fact } from "../../views/rows/table.ts";
import { shellWord } from "../../base/words/shell-word.ts";

/** What happened to rejected work, and where it is kept. */
export function rejectedText(
  { session, home }: FoundSession,
  { branch, torn, isNew }: Rejected,
): string {
  const name = shellWord(session.branch);
  const stays: readonly Fact[] =
    branch?.kind === "checked-out"
      ? [["left", `the branch: it is checked out in ${branch.directory}`]]
      : [];
  const facts = [
    ...keptFacts(name, branch),
    ...stays,
    ...torn.rescues.map((ref): Fact => ["kept", `${ref}: work that was not on the branch`]),
    ...torn.left.map((left): Fact => ["left", `${left}: kept, because the branch is gone`]),
    ["files", home.directory] as const,
  ];
  const head = row(`${session.id} ${isNew ? "is" : "was"} rejected, for good.`);
  return plainText([head, ...namedRows(facts, { widthMin: NAME_CELLS })]);
}

function keptFacts(name: string, branch: Rejected["branch"]): readonly Fact[] {
  if (branch === undefined) return [];
  if (branch.ref === undefined) return [["gone", `${name}: the branch no longer exists`]];
  return [
    ["kept", `${branch.ref}: its commits`],
    ["back", `git branch ${name} ${branch.ref}`],
  ];
}

const NAME_CELLS = 6;
