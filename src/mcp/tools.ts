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

/** Registers the tools with which a model can work on sessions, and describes when to use them. */
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
        "Has wisp carry out a written request: planned, built, reviewed and tested on a branch of its own, in the " +
        "background. Use it for work that is larger than one edit. Returns the session immediately; then call work_status. On another machine, a start takes minutes: the answer " +
        "then says how to wait for it.",
      inputSchema: StartInput,
      annotations: WRITES,
    },
    async (input, context) => result(await actions.startSession(input, watchOf(context))),
  );
  server.registerTool(
    "work_status",
    {
      title: "Where the work stands",
      description:
        "Shows where a session stands, including its revisions, and what to do next. Use it after start_session and " +
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
        "Answers an open question of an agent of the session; the work waits for it. The first answer counts. Ask " +
        "the person you work for if you do not know.",
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
        "Lists the findings and bugs of a session, and their states. Use it to check whether what you " +
        "noticed is already known.",
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
        "Shows the finished work of a session: summary, commits, files, findings, earlier revisions, the diff, and its diffId, " +
        "which the other tools ask for. Next: request_revision if something has to change, approve_changes if it " +
        "is right. reject_changes discards it for good and is rarely what you want.",
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
        "Has finished work changed without losing it: the same engine conversation continues in the same clone, with " +
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
      title: "Resume paused work",
      description:
        "Resumes a session or revision that was created but not run, was stopped, is stuck or waits for an engine, " +
        "or whose branch has unreviewed commits. Use it when work_status says so. Afterwards call " +
        "work_status with waitSeconds.",
      inputSchema: ResumeInput,
      annotations: { ...WRITES, idempotentHint: true },
    },
    async (input) => result(await actions.resumeSession(input)),
  );
  server.registerTool(
    "abandon_revision",
    {
      title: "Abandon a revision",
      description:
        "PERMANENT: abandons a revision that has not ended, when it is stuck and resume_session does not help, or is " +
        "no longer wanted. What it has published stays on the branch, and the work itself stays finished: then " +
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
      title: "Approve finished work",
      description:
        "Records that the work is right as it is at this diffId. Use it only after review_changes. It " +
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
        "PERMANENT: discards the work of the whole session, and it cannot continue. Its branch is removed and its " +
        "clones, too; the commits stay under a reference, from which people can recover them. Use it only when none of the work " +
        "is wanted and the person you work for has said so; otherwise use request_revision.",
      inputSchema: RejectInput,
      annotations: { ...WRITES, destructiveHint: true },
    },
    async (input) => result(await actions.rejectChanges(input)),
  );
}

function result({ text, data, isError }: Answer): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent: { ...data }, isError };
}

/**
 * Reports progress to a client that asked for it; a client that has disconnected is not a failure.
 */
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
