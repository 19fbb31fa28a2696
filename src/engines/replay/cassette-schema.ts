import { z } from "zod";
import { PURPOSES } from "../engine.ts";

/**
 * A cassette: what an engine would have done, turn by turn, as YAML.
 *
 *     version: 1
 *     turns:
 *       - on: { purpose: plan, ask: 1 }
 *         do:
 *           - plan: |
 *               ## Milestone: Parser
 *               - [ ] [feature] Parse amounts
 *       - on: { purpose: build, milestone: Parser, attempt: 1 }
 *         do:
 *           - write: { path: src/parse.js, content: "export const parse = Number;\n" }
 *           - run: { argv: [node, --test] }
 *           - commit: Parse amounts
 *           - tick: 1
 *       - on: { purpose: review-commit, subject: "Parse*" }
 *         do:
 *           - print: |
 *               ### Verdict: NEEDS_WORK
 *
 *               ### Findings
 *
 *               1. **COR-1**: Correctness - Takes nonsense for a number
 *                  - File: src/parse.js:1
 *                  - Issue: parse("x") is NaN.
 *                  - Suggestion: Throw.
 *       - on: { purpose: fix, finding: "COR-*" }
 *         do:
 *           - patch: { path: src/parse.js, find: "= Number", replace: "= strictNumber" }
 *           - commit: Refuse what is no number
 *     defaults:
 *       review-commit: [print: "### Verdict: PASSED"]
 *
 * The first turn whose conditions all hold is played, otherwise the purpose's default. The choice
 * depends on the turn alone (its `WISP_…` variables, its prompt, the commit it is about), never on
 * what was played before: an interrupted turn that is repeated is played again.
 */

const purpose = z.enum(PURPOSES);

const text = z.string().min(1);
const ordinal = z.int().positive();

/** Conditions; an omitted one always holds. In patterns `*` matches any text, and `?` one character. */
const conditions = z.strictObject({
  purpose: purpose.optional(),
  /** A pattern for `WISP_UNIT`, such as `final:2`. */
  unit: text.optional(),
  attempt: ordinal.optional(),
  /** 2 if the same attempt is repeated because the answer could not be used. */
  ask: ordinal.optional(),
  /** A pattern for the milestone's name. */
  milestone: text.optional(),
  /** A pattern for the finding's id, such as `COR-*`. */
  finding: text.optional(),
  /** A pattern for the subject line of the commit `WISP_END_SHA`. */
  subject: text.optional(),
  /** A text that the prompt must contain. */
  prompt: text.optional(),
});

const path = text.refine(
  (value) => !value.startsWith("/") && !value.split("/").includes(".."),
  "Invalid path: expected one inside the clone",
);

const task = z.union([ordinal, text], {
  error: "expected the number of a task, or a part of its text",
});
const tasks = z.union([task, z.array(task).min(1)], {
  error: "expected the number of a task, a part of its text, or a list of these",
});

/** The actions of a step, which has exactly one of these keys. */
const step = z
  .strictObject({
    /** Writes a file, and creates its folders; `encoding` is for content that is not text. */
    write: z
      .strictObject({
        path,
        content: z.string(),
        executable: z.boolean().optional(),
        encoding: z.literal("base64").optional(),
      })
      .optional(),
    /** Replaces a text that must occur in the file exactly once. */
    patch: z.strictObject({ path, find: text, replace: z.string() }).optional(),
    delete: z.strictObject({ path }).optional(),
    /** Runs a command, which must end with exit code `exit` (default 0). Its output goes to standard error. */
    run: z
      .strictObject({ argv: z.array(text).min(1), exit: z.int().min(0).max(255).optional() })
      .optional(),
    /** Commits everything, or only `paths`. There must be something to commit. */
    commit: z
      .union([text, z.strictObject({ message: text, paths: z.array(path).min(1) })], {
        error: "expected a message, or { message, paths }",
      })
      .optional(),
    /** Ticks tasks of the current milestone, or of the named one, in `WISP_TASKS_FILE`. */
    tick: z
      .union([tasks, z.strictObject({ milestone: text, tasks })], {
        error: "expected a task's number or text, a list of these, or { milestone, tasks }",
      })
      .optional(),
    /** Writes `WISP_TASKS_FILE`. */
    plan: z.string().optional(),
    /** Prints to standard output, followed by a line break. */
    print: z.string().optional(),
    /** Waits for this many milliseconds. */
    delay: z.int().nonnegative().optional(),
    /** Ends the turn with this exit code. */
    exit: z.int().min(0).max(255).optional(),
    /** Ends the turn by sending itself a signal. */
    kill: z.enum(["SIGKILL", "SIGTERM", "SIGINT", "SIGSEGV", "SIGABRT"]).optional(),
    /** Never ends by itself: `polite` ends on SIGTERM, `stubborn` only on SIGKILL. */
    hang: z.enum(["polite", "stubborn"]).optional(),
  })
  .refine((value) => Object.keys(value).length === 1, "expected exactly one key in each step");

export const CassetteFile = z.strictObject({
  version: z.literal(1),
  turns: z.array(z.strictObject({ on: conditions, do: z.array(step) })),
  defaults: z.partialRecord(purpose, z.array(step)).optional(),
});

export type CassetteTurn = z.infer<typeof CassetteFile>["turns"][number];
export type CassetteStep = z.infer<typeof step>;
