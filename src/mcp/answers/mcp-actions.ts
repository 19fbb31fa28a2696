import { need } from "../../base/fatal.ts";
import type { Actions } from "../actions.ts";
import { readAnswer, recordAnswer } from "../../actions/up/answer-question.ts";
import type { Cli } from "../../workspace/cli.ts";
import { createSession } from "../../actions/start/create-session.ts";
import { findingsSummary, findingsText } from "../../views/findings/findings-text.ts";
import { findingsView } from "../../views/findings/findings-view.ts";
import { activeOf, readWork } from "../../workspace/finished/finished-work.ts";
import { goOn } from "../../actions/up/go-on.ts";
import { asTool, said, withWork, type ToolCli } from "./mcp-answer.ts";
import { listDocuments, readDocument } from "./mcp-documents.ts";
import { approveChanges, rejectChanges, requestChanges, reviewChanges } from "./mcp-review.ts";
import { workStatus } from "./mcp-status.ts";
import { abandonRevision, resumeSession } from "./mcp-ways-on.ts";
import { createPaint } from "../../terminal/paint.ts";
import { requestWords } from "../../actions/start/request-words.ts";
import { refuseStarted } from "../../actions/start/same-request.ts";
import { draftSession } from "../../actions/start/session-draft.ts";
import { withTools } from "./tool-words.ts";
import { foreignCommands, trustCommands } from "../../actions/start/trust-commands.ts";

type ToolInput<Name extends keyof Actions> = Parameters<Actions[Name]>[0];

/** What the server does, done as the commands do it. Nothing is kept between two calls. */
export function createActions(cli: Cli): Actions {
  return {
    startSession: (input) => asTool(cli, (tool) => startSession(tool, input, cli.terminal)),
    workStatus: (input, watch) => asTool(cli, (tool) => workStatus(tool, input, watch)),
    reviewChanges: (input) => asTool(cli, (tool) => reviewChanges(tool, input)),
    requestRevision: (input) => asTool(cli, (tool) => requestChanges(tool, input)),
    approveChanges: (input) => asTool(cli, (tool) => approveChanges(tool, input)),
    rejectChanges: (input) => asTool(cli, (tool) => rejectChanges(tool, input)),
    answerQuestion: (input) => asTool(cli, (tool) => answerQuestion(tool, input)),
    resumeSession: (input) => asTool(cli, (tool) => resumeSession(tool, input)),
    abandonRevision: (input) => asTool(cli, (tool) => abandonRevision(tool, input)),
    listFindings: (input) => asTool(cli, (tool) => listFindings(tool, input)),
    documents: () => listDocuments(cli),
    readDocument: (place) => readDocument(cli, place),
  };
}

async function startSession(
  cli: ToolCli,
  input: ToolInput<"startSession">,
  terminal: Cli["terminal"],
) {
  const { request: text, branch, plan, run, again } = input;
  const draft = await draftSession(cli, { request: "request.md", text, branch, plan });
  need(await refuseStarted(cli, draft, { again, branch, path: "request.md" }));
  // What is listed is for the person, whom the server's own messages reach.
  const trusted = await trustCommands({ ...cli, terminal }, foreignCommands(draft), {
    ...{ isSure: false, isProgram: true, command: "wisp start request.md --yes" },
  });
  const created = await createSession(cli, draft);
  trusted?.remember();
  const { session, home } = created;
  if (run) need(await goOn(cli, created, { isStopped: false }));
  const words = `Session ${session.id} on branch ${session.branch} ${run ? "runs" : "is made"}.`;
  const next = run
    ? "Next: work_status with waitSeconds."
    : `To run it: resume_session with session "${session.id}".`;
  const data = { session: session.id, branch: session.branch, home: home.directory, runs: run };
  const taken = withTools(requestWords(draft.request).join(" "));
  return said(`${words} ${taken} ${next}`, data);
}

async function answerQuestion(cli: ToolCli, input: ToolInput<"answerQuestion">) {
  return withWork(cli, { session: input.session }, async (work) => {
    const { id } = activeOf(work).found.session;
    const words = input.question === undefined ? [input.answer] : [input.question, input.answer];
    const { found, question, text } = await readAnswer(cli, { session: id, words });
    need(await recordAnswer(cli, found, { question, text }));
    return said(withTools(cli.terminal.lines.join("\n")), { session: id, answered: true });
  });
}

async function listFindings(cli: ToolCli, input: ToolInput<"listFindings">) {
  const work = await readWork(cli, { session: input.session });
  const all = [work, ...work.revisions].flatMap(({ found, state }) =>
    findingsView(state).map((finding) => ({ ...finding, session: found.session.id })),
  );
  const findings = input.openOnly ? all.filter(({ isOpen }) => isOpen) : all;
  const text = findingsText(findings, createPaint(false));
  const summary = all.length === 0 ? [] : [findingsSummary(all)];
  return said([text, ...summary].join("\n"), {
    session: work.found.session.id,
    findings,
  });
}
