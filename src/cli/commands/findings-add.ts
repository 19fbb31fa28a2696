import { stateFor } from "../../workspace/session/session-for.ts";
import { need, CannotGoOn } from "../../base/fatal.ts";
import { Usage } from "../../workspace/usage.ts";
import { EXIT } from "../../base/exit-code.ts";
import { FINDING_TEXT_CHARS_MAX } from "../../base/limits.ts";
import { ok } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { Finding, Level } from "../../fs-protocol/records/finding.ts";
import { findingId } from "../../fs-protocol/findings/finding-id.ts";
import type { HumanFold } from "../../session/state/fold-human.ts";
import { BRIEF_CHARS_MAX } from "../../fs-protocol/findings/raw-finding.ts";
import { appendHuman } from "../../workspace/session/append-human.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import { ensureRunning } from "../../actions/up/ensure-running.ts";
import { locate, type FilePlace } from "../../actions/findings/locate.ts";

/** What `wisp findings add --json` and `dismiss --json` print; fields are added, never renamed or removed. */
export interface JudgedFindingView {
  readonly schema: "wisp.finding/1";
  /** Nothing was done. */
  readonly isDryRun: boolean;
  /** False if it was on record already. */
  readonly isNew: boolean;
  /** The finding that was added. */
  readonly finding?: Finding;
  /** The id of what was dismissed. */
  readonly dismissed?: string;
}

interface Addition {
  readonly session: string | undefined;
  /** `path` or `path:line`. */
  readonly place: string;
  readonly text: string;
  readonly level: Level;
  /** Only show what would be added. */
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** `wisp findings add`: a person's finding; the reviewer adopts it and judges its fixes. */
export async function addFinding(cli: Cli, addition: Addition): Promise<Outcome> {
  const found = need(findSession(cli.host.files, cli.cwd, addition.session));
  const { session } = found;
  const text = textOf(addition.text);
  const state = await stateFor(cli, "judge", found);
  const place = await locate(cli, session, addition.place);
  const draft = draftOf(place, text, addition.level);
  const named = (human: HumanFold) => {
    const known = new Map([...state.reviewer.items, ...addedBy(human)]);
    const finding = unlike(known, draft, place.anchor);
    return { finding, isNew: !known.has(finding.id) };
  };
  if (addition.dryRun) return sayAdded(cli, addition, named(state.human));
  let added = named(state.human);
  const appended = need(
    await appendHuman(cli, found, (human) => {
      added = named(human);
      return added.isNew ? { kind: "add", finding: added.finding } : undefined;
    }),
  );
  await ensureRunning(cli, found, { isStopped: appended.before.stopped });
  return sayAdded(cli, addition, added);
}

function sayAdded(
  { terminal }: Cli,
  { dryRun, json }: Addition,
  { finding, isNew }: { readonly finding: Finding; readonly isNew: boolean },
): Outcome {
  const { id, level, brief } = finding;
  const what = dryRun ? "Would add" : "Added";
  terminal.err(`${isNew ? what : "Already on record:"} ${id}, ${level}: ${brief}`);
  if (dryRun) terminal.err("Nothing was done.");
  const view: JudgedFindingView = { schema: "wisp.finding/1", isDryRun: dryRun, isNew, finding };
  terminal.out(json ? JSON.stringify(view, undefined, 2) : id);
  return ok(EXIT.ok);
}

const CATEGORY = "Human";

function draftOf({ file, line }: FilePlace, issue: string, level: Level): Omit<Finding, "id"> {
  const [first = issue] = issue.split("\n");
  const brief = cleanText(first, { charsMax: BRIEF_CHARS_MAX, lines: "one" });
  return { level, reviewer: "human", category: CATEGORY, brief, file, line, issue, suggestion: "" };
}

function addedBy({ items }: HumanFold): ReadonlyMap<string, Finding> {
  return new Map(
    items.flatMap((item) => (item.kind === "add" ? [[item.finding.id, item.finding]] : [])),
  );
}

/** With the id of the same remark if there is one, else with a new id. */
function unlike(
  known: ReadonlyMap<string, Finding>,
  draft: Omit<Finding, "id">,
  anchor: string | undefined,
): Finding {
  for (let occurrence = 1; ; occurrence++) {
    const { file, brief } = draft;
    const id = findingId({ kind: "finding", category: CATEGORY, file, anchor, brief, occurrence });
    const other = known.get(id);
    if (other === undefined || other.issue === draft.issue) return { ...draft, id };
  }
}

function textOf(text: string): string {
  const issue = cleanText(text, { charsMax: Number.MAX_SAFE_INTEGER, lines: "many" });
  if (issue === "") throw new CannotGoOn(Usage({ problem: "the text of the finding is empty" }));
  if (issue.length <= FINDING_TEXT_CHARS_MAX) return issue;
  const max = String(FINDING_TEXT_CHARS_MAX);
  throw new CannotGoOn(Usage({ problem: `the finding is longer than ${max} characters` }));
}
