import { createSession } from "../../actions/start/create-session.ts";
import { requestWords } from "../../actions/start/request-words.ts";
import { refuseStarted } from "../../actions/start/same-request.ts";
import { draftSession } from "../../actions/start/session-draft.ts";
import { foreignCommands, trustCommands } from "../../actions/start/trust-commands.ts";
import { ensureRunning } from "../../actions/up/ensure-running.ts";
import type { World } from "../../workspace/world.ts";
import type { Answer } from "../actions.ts";
import type { StartInput } from "../inputs.ts";
import { succeeded, type ToolWorld } from "./mcp-answer.ts";
import { withTools } from "./tool-words.ts";

/** Starts a session on this machine. */
export async function startHere(
  world: ToolWorld,
  { request: text, branch, plan, run, again }: StartInput,
  tell: World["tell"],
): Promise<Answer> {
  const content = Buffer.from(text);
  const draft = await draftSession(world, { request: "request.md", content, branch, plan });
  await refuseStarted(world, draft, { again, branch, path: "request.md" });
  // The list is for the person, who sees the server's own messages.
  const trusted = await trustCommands({ ...world, tell }, foreignCommands(draft), {
    ...{ isSure: false, isProgram: true, command: "wisp start request.md --yes" },
  });
  const created = await createSession(world, draft);
  trusted?.remember();
  const { session, home } = created;
  if (run) await ensureRunning(world, created, { isStopped: false });
  const words = `Session ${session.id} on branch ${session.branch} ${run ? "is running" : "was created"}.`;
  const data = { session: session.id, branch: session.branch, home: home.directory, runs: run };
  const taken = withTools(requestWords(draft.request).join(" "));
  return succeeded(`${words} ${taken} ${nextAfterStart(session.id, run)}`, data);
}

/** What a client does after a start. */
export function nextAfterStart(session: string, runs: boolean): string {
  return runs
    ? "Next: work_status with waitSeconds."
    : `To run it: resume_session with session "${session}".`;
}
