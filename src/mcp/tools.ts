import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { Actions, Answer, Watch } from "./actions.ts";
import {
  AbandonInput,
  AnswerInput,
  ApproveInput,
  FindingsInput,
  RejectInput,
  ResumeInput,
  RevisionInput,
  ReviewInput,
  StartInput,
  StatusInput,
} from "./inputs.ts";

const READS = { readOnlyHint: true, openWorldHint: false } as const;
const WRITES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false } as const;

/** Registers what a model may do with sessions, and when it should. */
export function addTools(server: McpServer, actions: Actions): void {
  addWork(server, actions);
  addWords(server, actions);
  addReview(server, actions);
  addWaysOn(server, actions);
  addDecisions(server, actions);
}

function addWork(server: McpServer, actions: Actions): void {
  server.registerTool(
    "start_session",
    {
      title: "Start a session",
      description:
        "Has a written request built by wisp: planned, built, reviewed and tested on a branch of its own, in the " +
        "background. Use it for work that is larger than one edit. Returns the session at once; then call work_status.",
      inputSchema: StartInput,
      annotations: WRITES,
    },
    async (input) => result(await actions.startSession(input)),
  );
  server.registerTool(
    "work_status",
    {
      title: "Where the work stands",
      description:
        "Tells where a session stands, its revisions included, and what to do next. Use it after start_session and " +
        "request_revision, with waitSeconds, until the state is PENDING_REVIEW (then review_changes) or a question " +
        "is open (then answer_question).",
      inputSchema: StatusInput,
      annotations: READS,
    },
    async (input, context) => result(await actions.workStatus(input, watchOf(context))),
  );
}

function addWords(server: McpServer, actions: Actions): void {
  server.registerTool(
    "answer_question",
    {
      title: "Answer a question",
      description:
        "Answers a question that an agent of the session asks; the work waits for it. The first answer counts. Ask " +
        "the person you work for when you do not know.",
      inputSchema: AnswerInput,
      annotations: WRITES,
    },
    async (input) => result(await actions.answerQuestion(input)),
  );
  server.registerTool(
    "list_findings",
    {
      title: "Findings and bugs",
      description:
        "Lists what reviewer and tester found in a session, and what became of it. Use it to see whether what you " +
        "noticed is known already.",
      inputSchema: FindingsInput,
      annotations: READS,
    },
    async (input) => result(await actions.listFindings(input)),
  );
}

function addReview(server: McpServer, actions: Actions): void {
  server.registerTool(
    "review_changes",
    {
      title: "Look at finished work",
      description:
        "Shows what a session made: summary, commits, files, findings, earlier revisions, the diff, and its diffId, " +
        "which the other tools ask for. Next: request_revision when something has to change, approve_changes when it " +
        "is right. reject_changes discards it for good and is seldom what you want.",
      inputSchema: ReviewInput,
      annotations: READS,
    },
    async (input) => result(await actions.reviewChanges(input)),
  );
  server.registerTool(
    "request_revision",
    {
      title: "Have finished work changed",
      description:
        "Has finished work changed without losing it: the same engine conversation goes on in the same clone, with " +
        "your feedback, and the result is reviewed and tested again. Use it whenever the work is partly right. " +
        "Afterwards call work_status with waitSeconds, then review_changes. The number of rounds is limited.",
      inputSchema: RevisionInput,
      annotations: WRITES,
    },
    async (input) => result(await actions.requestRevision(input)),
  );
}

function addWaysOn(server: McpServer, actions: Actions): void {
  server.registerTool(
    "resume_session",
    {
      title: "Go on with work that rests",
      description:
        "Has a session or a revision go on that was made and not run, was stopped, is stuck or waits for an engine, " +
        "or whose branch has commits that nobody has reviewed. Use it when work_status says so. Afterwards call " +
        "work_status with waitSeconds.",
      inputSchema: ResumeInput,
      annotations: { ...WRITES, idempotentHint: true },
    },
    async (input) => result(await actions.resumeSession(input)),
  );
  server.registerTool(
    "abandon_revision",
    {
      title: "Give a revision up",
      description:
        "PERMANENT: gives up a revision that has not ended, when it is stuck and resume_session does not help, or is " +
        "not wanted any more. What it has published stays on the branch, and the work itself stays finished: then " +
        "request_revision or approve_changes.",
      inputSchema: AbandonInput,
      annotations: { ...WRITES, destructiveHint: true, idempotentHint: true },
    },
    async (input) => result(await actions.abandonRevision(input)),
  );
}

function addDecisions(server: McpServer, actions: Actions): void {
  server.registerTool(
    "approve_changes",
    {
      title: "Approve of finished work",
      description:
        "Puts on record that the work is right as it stands at this diffId. Use it only after review_changes. It " +
        "merges and pushes nothing: a person does that with `wisp done`.",
      inputSchema: ApproveInput,
      annotations: { ...WRITES, idempotentHint: true },
    },
    async (input) => result(await actions.approveChanges(input)),
  );
  server.registerTool(
    "reject_changes",
    {
      title: "Reject finished work for good",
      description:
        "PERMANENT: discards the work of the whole session, and it cannot go on. Its branch is removed and its " +
        "clones, too; the commits stay under a reference for people to dig out. Use it only when nothing of the work " +
        "is wanted and the person you work for has said so; else request_revision.",
      inputSchema: RejectInput,
      annotations: { ...WRITES, destructiveHint: true },
    },
    async (input) => result(await actions.rejectChanges(input)),
  );
}

function result({ text, data, isError }: Answer): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent: { ...data }, isError };
}

/** Whoever asked for it is told of progress; a client that has gone away is no reason to fail. */
function watchOf({ mcpReq }: ServerContext): Watch {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    signal: mcpReq.signal,
    progress: ({ seconds, of }, message) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress: seconds, total: of, message };
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
    },
  };
}
