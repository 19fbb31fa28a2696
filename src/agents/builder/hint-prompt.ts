import { join } from "node:path";
import { HINT_ATTEMPTS_MAX } from "../../base/limits.ts";
import type { BuilderFold, StalledAttempt, StuckHint } from "../../fs-protocol/builder-state.ts";
import type { Home } from "../../fs-protocol/home.ts";
import type { SessionState } from "../../fs-protocol/session-state.ts";
import type { BuilderStep } from "../../streams/step.ts";
import type { RoleContext } from "../role-context.ts";
import { taskLines } from "./task-lines.ts";

/** The prompt of a turn that looks for why attempts stall: references, not pasted files. */
export function hintPrompt(
  { templates, home, session }: RoleContext<"builder">,
  { builder }: SessionState,
  { milestone, stalled }: Extract<BuilderStep, { kind: "hint" }>,
): string {
  const attempts = builder.stalls.get(milestone.name) ?? [];
  const before = builder.hints.get(milestone.name)?.text;
  return templates.render("stuck-hint", {
    request: home.request,
    milestone: milestone.name,
    tasks: taskLines(builder, milestone),
    count: String(stalled),
    attempts: attempts
      .slice(-HINT_ATTEMPTS_MAX)
      .map((attempt) => attemptLine(attempt, home))
      .join("\n"),
    verify: verifyLine(builder, attempts, { home, commands: session.verify }),
    hint:
      before === undefined ? "" : `An earlier look at it, which did not help, said:\n\n${before}`,
  });
}

function attemptLine({ unit, outcome, reason, turn }: StalledAttempt, home: Home): string {
  const attempt = unit.slice(unit.lastIndexOf(":") + 1);
  const output = turn === undefined ? "" : ` Its output: \`${join(home.turns, `${turn}.out`)}\`.`;
  return `- Attempt ${attempt} (${outcome}): ${reason === "" ? "no reason is known" : reason}.${output}`;
}

interface Verify {
  readonly home: Home;
  readonly commands: readonly (readonly string[])[];
}

/** Where the newest red verify is, if that is what an attempt failed by. */
function verifyLine(
  { verified }: BuilderFold,
  attempts: readonly StalledAttempt[],
  { home, commands }: Verify,
): string {
  if (!attempts.some(({ outcome }) => outcome === "unverified")) return "";
  const red = [...verified.values()].findLast(
    ({ outcome, output }) => outcome === "failed" && output !== undefined,
  );
  if (red?.output === undefined) return "";
  const command = commands.map((argv) => argv.join(" ")).join(" && ");
  const output = join(home.turns, `${red.output}.out`);
  return `The verify command is \`${command}\`; what it printed last: \`${output}\`.`;
}

/** The hint that the next attempt at a milestone is told. */
export function hintWords({ stalled, text }: StuckHint): string {
  if (text === undefined) return "";
  const count = stalled === 1 ? "an attempt" : `${String(stalled)} attempts`;
  return (
    `After ${count} without progress somebody looked for what is in the way, and changed nothing. ` +
    `Take it as a hint, and check it:\n\n${text}`
  );
}
