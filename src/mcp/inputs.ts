import { z } from "zod";
import {
  FEEDBACK_CHARS_MAX,
  FEEDBACK_COMMENTS_MAX,
  FEEDBACK_CONTEXT_CHARS_MAX,
  MCP_NAME_CHARS_MAX,
  MCP_REQUEST_CHARS_MAX,
  MCP_WAIT_SECONDS_MAX,
  REASON_CHARS_MAX,
  TASK_TEXT_CHARS_MAX,
} from "../base/limits.ts";

/**
 * The tools' inputs. Everything comes from a model: it is bounded here, and looked up in the
 * records later.
 */

const Name = z.string().min(1).max(MCP_NAME_CHARS_MAX);
const Session = Name.optional().describe("Id or branch of the session. Left out: the newest.");
const DiffId = Name.describe(
  "The version you reviewed: the diffId of review_changes. A stale one is refused.",
);

export const StartInput = z.strictObject({
  request: z
    .string()
    .min(1)
    .max(MCP_REQUEST_CHARS_MAX)
    .describe(
      "What to build: prose, user stories with acceptance criteria, a task list, or another tool's tasks.",
    ),
  branch: Name.optional().describe("Name of the branch. Left out: derived from the first heading."),
  plan: z
    .boolean()
    .default(false)
    .describe("Whether the planner makes the plan even if the request looks like one."),
  on: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/u)
    .optional()
    .describe(
      "Where it runs: an executor by its name in the user's own settings, local, or here. Left out: as the settings say.",
    ),
  run: z.boolean().default(true).describe("Whether to run it immediately."),
  again: z
    .boolean()
    .default(false)
    .describe(
      "Whether to create it even if a session with the same request is unfinished, or complete and not shipped.",
    ),
});
export type StartInput = z.infer<typeof StartInput>;

export const StatusInput = z.strictObject({
  session: Session,
  waitSeconds: z
    .int()
    .min(0)
    .max(MCP_WAIT_SECONDS_MAX)
    .default(0)
    .describe("Wait at most this long for the work to end or to need you. 0: answer immediately."),
});
export type StatusInput = z.infer<typeof StatusInput>;

export const ReviewInput = z.strictObject({
  session: Session,
  includeDiff: z.boolean().default(true).describe("Whether to include the diff itself."),
});
export type ReviewInput = z.infer<typeof ReviewInput>;

export const RevisionInput = z.strictObject({
  diffId: DiffId,
  feedback: z
    .string()
    .min(1)
    .max(FEEDBACK_CHARS_MAX)
    .describe("What needs to be changed, one point to a paragraph or list item."),
  preserveCorrectParts: z.boolean().default(true).describe("Keep what works as it is."),
  additionalContext: z
    .string()
    .max(FEEDBACK_CONTEXT_CHARS_MAX)
    .optional()
    .describe("Anything else the revision should know."),
  comments: z
    .array(
      z.strictObject({
        path: Name,
        line: z.int().positive().max(9_999_999),
        text: z.string().min(1).max(TASK_TEXT_CHARS_MAX),
      }),
    )
    .max(FEEDBACK_COMMENTS_MAX)
    .default([])
    .describe("Remarks on lines, as the diff shows them."),
});
export type RevisionInput = z.infer<typeof RevisionInput>;

export const ApproveInput = z.strictObject({ diffId: DiffId });
export type ApproveInput = z.infer<typeof ApproveInput>;

export const RejectInput = z.strictObject({ diffId: DiffId });
export type RejectInput = z.infer<typeof RejectInput>;

export const ResumeInput = z.strictObject({ session: Session });
export type ResumeInput = z.infer<typeof ResumeInput>;

export const AbandonInput = z.strictObject({
  session: Name.describe(
    "Id of the revision, such as invoices/revision-1: one that has not ended.",
  ),
});
export type AbandonInput = z.infer<typeof AbandonInput>;

export const AnswerInput = z.strictObject({
  session: Session,
  question: Name.optional().describe("Id of the question. Left out: the only open one."),
  answer: z.string().min(1).max(REASON_CHARS_MAX),
});
export type AnswerInput = z.infer<typeof AnswerInput>;

export const FindingsInput = z.strictObject({
  session: Session,
  openOnly: z.boolean().default(false).describe("Only the open ones."),
});
export type FindingsInput = z.infer<typeof FindingsInput>;
