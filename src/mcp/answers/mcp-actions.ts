import type { Actions } from "../actions.ts";
import { readAnswer, recordAnswer } from "../../actions/up/answer-question.ts";
import type { World } from "../../workspace/world.ts";
import { createSession } from "../../actions/start/create-session.ts";
import { findingsSummary, findingsRows } from "../../views/findings/findings-rows.ts";
import { findingsView } from "../../views/findings/findings-view.ts";
import { activeOf, readWork } from "../../workspace/finished/finished-work.ts";
import { ensureRunning } from "../../actions/up/ensure-running.ts";
import { asTool, succeeded, withWork, type ToolWorld } from "./mcp-answer.ts";
import { listDocuments, readDocument } from "./mcp-documents.ts";
import { approveChanges, rejectChanges, requestChanges, reviewChanges } from "./mcp-review.ts";
import { workStatus } from "./mcp-status.ts";
import { abandonRevision, resumeSession } from "./mcp-continue.ts";
import { plainText } from "../../views/rows/row.ts";
import { requestWords } from "../../actions/start/request-words.ts";
import { refuseStarted } from "../../actions/start/same-request.ts";
import { draftSession } from "../../actions/start/session-draft.ts";
import { withTools } from "./tool-words.ts";
import { foreignCommands, trustCommands } from "../../actions/start/trust-commands.ts";

type ToolInput<Name extends keyof Actions> = Parameters<Actions[Name]>[0];

/** The server's actions, done the way the commands do them. No state is kept between two calls. */
export function createActions(world: World): Actions {
  return {
    startSession: (input) => asTool(world, (tool) => startSession(tool, input, world.tell)),
    workStatus: (input, watch) => asTool(world, (tool) => workStatus(tool, input, watch)),
    reviewChanges: (input) => asTool(world, (tool) => reviewChanges(tool, input)),
    requestRevision: (input) => asTool(world, (tool) => requestChanges(tool, input)),
    approveChanges: (input) => asTool(world, (tool) => approveChanges(tool, input)),
    rejectChanges: (input) => asTool(world, (tool) => rejectChanges(tool, input)),
    answerQuestion: (input) => asTool(world, (tool) => answerQuestion(tool, input)),
    resumeSession: (input) => asTool(world, (tool) => resumeSession(tool, input)),
    abandonRevision: (input) => asTool(world, (tool) => abandonRevision(tool, input)),
    listFindings: (input) => asTool(world, (tool) => listFindings(tool, input)),
    documents: () => listDocuments(world),
    readDocument: (place) => readDocument(world, place),
  };
}

async function startSession(
  world: ToolWorld,
  input: ToolInput<"startSession">,
  tell: World["tell"],
) {
  const { request: text, branch, plan, run, again } = input;
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
  const next = run
    ? "Next: work_status with waitSeconds."
    : `To run it: resume_session with session "${session.id}".`;
  const data = { session: session.id, branch: session.branch, home: home.directory, runs: run };
  const taken = withTools(requestWords(draft.request).join(" "));
  return succeeded(`${words} ${taken} ${next}`, data);
}

async function answerQuestion(world: ToolWorld, input: ToolInput<"answerQuestion">) {
  return withWork(world, { session: input.session }, async (work) => {
    const { id } = activeOf(work).found.session;
    const words = input.question === undefined ? [input.answer] : [input.question, input.answer];
    const { found, question, text } = await readAnswer(world, { session: id, words });
    await recordAnswer(world, found, { question, text });
    return succeeded(withTools(world.messages.join("\n")), { session: id, answered: true });
  });
}

async function listFindings(world: ToolWorld, input: ToolInput<"listFindings">) {
  const work = await readWork(world, { session: input.session });
  const all = [work, ...work.revisions].flatMap(({ found, state }) =>
    findingsView(state).map((finding) => ({ ...finding, session: found.session.id })),
  );
  const findings = input.openOnly ? all.filter(({ isOpen }) => isOpen) : all;
  const text = plainText(findingsRows(findings));
  const summary = all.length === 0 ? [] : [findingsSummary(all)];
  return succeeded([text, ...summary].join("\n"), {
    session: work.found.session.id,
    findings,
  });
}
