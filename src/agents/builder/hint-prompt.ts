import { join } from "node:path";
import { HINT_ATTEMPTS_MAX } from "../../base/limits.ts";
import type { BuilderFold, StalledAttempt, StuckHint } from "../../session/state/builder-state.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import type { BuilderStep } from "../../session/steps/step.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { Asked } from "../../work/turn/turn.ts";
import { requestFiles, REQUEST_NAME, tailFile } from "../../work/turn/turn-files.ts";
import { folderWords, pathIn, turnFolder, type TurnFolder } from "../../work/turn/turn-folder.ts";
import { verifyWords } from "../../evidence/verify/verify-words.ts";
import type { RedResult } from "../../evidence/verify/red-output.ts";
import { redFiles, redOfBuild, redReport } from "./red-words.ts";
import { writeTasks } from "./projections.ts";
import { taskLines } from "./task-lines.ts";

/** The prompt of a turn that finds out why attempts stall: it refers to files instead of pasting them. */
export function askForHint(
  context: RoleContext<"builder">,
  { builder }: SessionState,
  { milestone, stalled }: Extract<BuilderStep, { kind: "hint" }>,
): Asked {
  const { templates, home, session, ports } = context;
  const all = builder.stalls.get(milestone.name) ?? [];
  const attempts = all.slice(-HINT_ATTEMPTS_MAX);
  const before = builder.hints.get(milestone.name)?.text;
  const red = redOfBuild(builder, milestone.name) ?? redVerify(builder, all);
  const outputs = attempts.flatMap(({ unit, turn }) =>
    turn === undefined
      ? []
      : [{ name: outputName(unit), output: turn, says: `what ${nameOf(unit)} printed` }],
  );
  const folder = turnFolder(context, [
    ...requestFiles(context),
    ...outputs.map(({ output, ...file }) =>
      tailFile(ports.files, join(home.turns, `${output}.out`), file),
    ),
    ...redFiles(context, red),
  ]);
  const report = redReport(context, builder, { red, folder });
  const prompt = templates.render("stuck-hint", {
    request: pathIn(folder, REQUEST_NAME),
    files: folderWords(folder),
    milestone: milestone.name,
    tasks: taskLines(writeTasks(ports.files, home, builder), milestone),
    count: String(stalled),
    attempts: attempts.map((attempt) => attemptLine(attempt, folder)).join("\n"),
    verify: [
      verifyWords(session.verify),
      report === "" ? "" : `When it last ran for this milestone, it was worse:\n\n${report}`,
    ]
      .filter((text) => text !== "")
      .join(" "),
    hint:
      before === undefined ? "" : `An earlier look at it, which did not help, said:\n\n${before}`,
  });
  return { prompt, folder };
}

/** For example "attempt 2" for the unit `build:API:2`. */
function nameOf(key: string): string {
  const unit = decodeUnit(key);
  return `attempt ${unit?.kind === "build" ? String(unit.attempt) : "?"}`;
}

function outputName(unit: string): string {
  return `${nameOf(unit).replace(" ", "-")}.out`;
}

function attemptLine({ unit, outcome, reason }: StalledAttempt, folder: TurnFolder): string {
  const path = pathIn(folder, outputName(unit));
  const output = path === "" ? "" : ` Its output: \`${path}\`.`;
  const why = reason === "" ? "no reason is known" : reason;
  return `- A${nameOf(unit).slice(1)} (${outcome}): ${why}.${output}`;
}

/** For records from before an attempt's end named the output of verify: the latest red verify. */
function redVerify(
  { verified }: BuilderFold,
  attempts: readonly StalledAttempt[],
): RedResult | undefined {
  if (!attempts.some(({ outcome }) => outcome === "unverified")) return undefined;
  return [...verified.values()].findLast(
    ({ outcome, output }) => outcome === "failed" && output !== undefined,
  );
}

/** The hint as the prompt of the next attempt at its milestone contains it. */
export function hintWords({ stalled, text }: StuckHint): string {
  if (text === undefined) return "";
  const count = stalled === 1 ? "an attempt" : `${String(stalled)} attempts`;
  return (
    `After ${count} without progress, a turn investigated what is in the way, and changed nothing. ` +
    `Take it as a hint, and check it:\n\n${text}`
  );
}
