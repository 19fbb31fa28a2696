import { join } from "node:path";
import { present } from "../../base/assert.ts";
import type { Role } from "../../base/role.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { encodeFindingsBlock } from "../../fs-protocol/findings/findings-block.ts";
import { findingInProgress } from "../../fs-protocol/findings/progress-finding.ts";
import { clonesDirectory, type SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { BuilderStep } from "../../session/steps/step.ts";
import { answerTo } from "../../work/unit.ts";
import type { RoleContext } from "../../work/role-context.ts";
import {
  ORIGINAL_NAME,
  requestFiles,
  REQUEST_NAME,
  tailFile,
  textFile,
} from "../../work/turn/turn-files.ts";
import type { Asked } from "../../work/turn/turn.ts";
import { folderWords, pathIn, turnFolder } from "../../work/turn/turn-folder.ts";
import { verifyWords } from "../../evidence/verify/verify-words.ts";
import { openerOf } from "../../fs-protocol/records/item-id.ts";
import { hintWords } from "./hint-prompt.ts";
import {
  buildTroubles,
  fixReport,
  redFiles,
  redOfBuild,
  redOfFix,
  redReport,
} from "./red-words.ts";
import { heldWords, type HeldTests } from "./apply-held-tests.ts";
import { taskLines } from "./task-lines.ts";

/** The boxes that a build turn ticks. */
export interface BuildTasks {
  /** The path of the copy of TASKS.md that the turn ticks. */
  readonly file: string;
  readonly text: string;
}

/** The prompt of a build turn: it refers to files instead of pasting them. */
export function askToBuild(
  context: RoleContext<"builder">,
  state: SessionState,
  { milestone, attempt, unit }: Extract<BuilderStep, { kind: "build" }>,
  tasks: BuildTasks,
): Asked {
  const { templates, session } = context;
  const { builder, human } = state;
  const hint = builder.hints.get(milestone.name);
  const red = redOfBuild(builder, milestone.name);
  const isRevision = session.parent !== undefined;
  const folder = turnFolder(context, [...requestFiles(context), ...redFiles(context, red)]);
  // Trouble and hint share one slot, so that users' templates that are older than hints show both.
  const troubles = [
    ...buildTroubles(builder, milestone.name, redReport(context, builder, { red, folder })),
    hint === undefined ? "" : hintWords(hint),
  ];
  const prompt = templates.render(isRevision ? "build-revision" : "build", {
    request: pathIn(folder, REQUEST_NAME),
    original: pathIn(folder, isRevision ? ORIGINAL_NAME : REQUEST_NAME),
    files: folderWords(folder),
    milestone: milestone.name,
    tasks: taskLines(tasks.text, milestone),
    tasks_file: tasks.file,
    verify: verifyWords(session.verify),
    ...(isRevision ? { preserve: preserveWords(session.parent?.preserve ?? true) } : {}),
    attempt: String(attempt),
    trouble: troubles.filter((text) => text !== "").join("\n\n"),
    answers: answerTo(unit, builder.questions, human.answers),
  });
  return { prompt, folder };
}

/** Tells a revision's turn whether to keep the finished work, apart from what an item asks for. */
function preserveWords(isPreserved: boolean): string {
  return isPreserved
    ? "Keep what works: change what the item asks for, and leave the rest of the finished work as it is."
    : "Nothing of the finished work has to stay as it is: redo whatever is in the way of the item.";
}

/** What a fix turn is about: one finding or bug, or a batch of findings. */
export interface FixPrompt {
  readonly unit: string;
  readonly attempt: number;
  readonly findings: readonly Finding[];
  /** Tests that show it, applied to the work tree. */
  readonly held?: HeldTests | undefined;
}

/** The prompt of a fix turn; what to fix is read from PROGRESS.txt (seed 002, FR-009). */
export function askToFix(
  context: RoleContext<"builder">,
  state: SessionState,
  { unit, attempt, findings, held }: FixPrompt,
): Asked {
  const { templates, home, ports, journal, session } = context;
  const read = ports.files.read(home.progress, PROGRESS_BYTES_MAX);
  const progress = read.ok ? new TextDecoder().decode(read.value) : "";
  const blocks = findings.map(
    (item) => findingInProgress(progress, item.id) ?? blockOf(item, journal.time()),
  );
  const count = findings.length;
  const item = inOwnClone(session, blocks.join("\n\n"));
  const red = redOfFix(session, state, findings);
  const folder = turnFolder(context, [
    ...requestFiles(context),
    textFile(item, { name: ITEM, says: "what is to be fixed, as it stands above" }),
    tailFile(ports.files, home.progress, { name: PROGRESS, says: "all reviews and fixes so far" }),
    ...redFiles(context, red),
  ]);
  const report = fixReport(redReport(context, state.builder, { red, folder }));
  const prompt = templates.render("fix", {
    request: pathIn(folder, REQUEST_NAME),
    progress: pathIn(folder, PROGRESS),
    files: folderWords(folder),
    verify: verifyWords(session.verify),
    what: count === 1 ? "this one finding" : `these ${String(count)} findings together`,
    item,
    id: findings.map(({ id }) => id).join(", "),
    attempt: String(attempt),
    // One slot for all of it, so that older templates of users show it, too.
    trouble: [
      ...[heldWords(held), ...findings.flatMap((item) => troubleOf(state, item, count > 1))],
      report === "" ? "" : `\n${report}`,
    ]
      .filter((text) => text !== "")
      .join("\n"),
    answers: answerTo(unit, state.builder.questions, state.human.answers),
  });
  return { prompt, folder };
}

/** A bug's command may name the clone in which it was found, which stays as it was then. */
function inOwnClone(session: SessionJson, text: string): string {
  const cloneOf = (role: Role) => join(clonesDirectory(session, role), "clone");
  return text.replaceAll(cloneOf("tester"), cloneOf("builder"));
}

const ITEM = "item.md";
const PROGRESS = "PROGRESS.txt";

/**
 * A finding in the form that PROGRESS.txt will have it, for a finding that is not there: the file may lag behind the
 * opener's log, and it has no block for a finding that a person added. So prompts do not depend on timing.
 */
function blockOf(finding: Finding, time: string): string {
  const { id, reviewer, level } = finding;
  const block = encodeFindingsBlock({ time, reviewer, level, findings: [finding] });
  return present(findingInProgress(block, id), "a block holds its finding");
}

/** More than a session writes in years. */
const PROGRESS_BYTES_MAX = 64 * 1024 * 1024;

/** What went wrong with the previous attempt, in sentences. */
function troubleOf(state: SessionState, { id }: Finding, isNamed: boolean): readonly string[] {
  const last = state.builder.fixes.get(id)?.at(-1);
  const refusal = state[openerOf(id)].refusals.get(id);
  const of = isNamed ? ` of ${id}` : "";
  const reasons = [
    last?.outcome === "failed" ? `The last attempt${of} failed: ${last.reason ?? ""}` : "",
    refusal === undefined ? "" : `The last fix${of} was not accepted: ${refusal}`,
  ];
  return reasons.filter((reason) => reason !== "");
}
