import { settingsExecutor } from "../../actions/elsewhere/settings-executor.ts";
import type { Actions, Answer, Watch } from "../actions.ts";
import type { FarStarts } from "./mcp-start-elsewhere.ts";
import { startHere } from "./mcp-start.ts";
import { readAnswer, recordAnswer } from "../../actions/up/answer-question.ts";
import type { World } from "../../workspace/world.ts";
import { findingsSummary, findingsRows } from "../../views/findings/findings-rows.ts";
import { findingsView } from "../../views/findings/findings-view.ts";
import { activeOf, readWork } from "../../workspace/finished/finished-work.ts";
import { asTool, succeeded, withWork, type ToolWorld } from "./mcp-answer.ts";
import { listDocuments, readDocument } from "./mcp-documents.ts";
import { approveChanges, rejectChanges, requestChanges, reviewChanges } from "./mcp-review.ts";
import { workStatus } from "./mcp-status.ts";
import { abandonRevision, resumeSession } from "./mcp-continue.ts";
import { plainText } from "../../views/rows/row.ts";
import { withTools } from "./tool-words.ts";

type ToolInput<Name extends keyof Actions> = Parameters<Actions[Name]>[0];

/**
 * The server's actions, done the way the commands do them. Nothing is kept between two calls but starts elsewhere that
 * go on.
 */
export function createActions(world: World): Actions {
  let farStarts: FarStarts | undefined;
  // Few sessions run elsewhere.
  const starts = async () => {
    const { FarStarts } = await import("./mcp-start-elsewhere.ts");
    return (farStarts ??= new FarStarts());
  };
  const { tell } = world;
  return {
    startSession: (input, watch) =>
      asTool(world, (tool) => startSession(tool, { input, watch }, { starts, tell })),
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
  call: { readonly input: ToolInput<"startSession">; readonly watch: Watch },
  { starts, tell }: { readonly starts: () => Promise<FarStarts>; readonly tell: World["tell"] },
): Promise<Answer> {
  const { input, watch } = call;
  const on = input.on ?? settingsExecutor(world) ?? "here";
  if (on === "here") return startHere(world, input, tell);
  return (await starts()).start(world, { input, on, tell }, watch);
}

async function answerQuestion(world: ToolWorld, input: ToolInput<"answerQuestion">) {
  return withWork(world, { session: input.session }, async (work) => {
    const { id } = activeOf(work).found.session;
    const words = input.question === undefined ? [input.answer] : [input.question, input.answer];
    const { found, question, text } = await readAnswer(world, {
      session: id,
      words,
      isProgram: true,
    });
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
