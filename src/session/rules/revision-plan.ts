import { fail, ok, type Result } from "../../base/result.ts";
import { compileRevision, type CompiledRequest, type CompileFailure } from "./compile-request.ts";
import { readStories } from "../../fs-protocol/request/stories.ts";

/** A validated list of the items that a revision has to fix. */
export interface RevisionPlan {
  /** Markdown, with a heading `### RI-001: <title>` for each item. */
  readonly text: string;
  readonly plan: CompiledRequest;
  readonly items: readonly RevisionItem[];
}

export interface RevisionItem {
  /** Such as `RI-001`. */
  readonly id: string;
  readonly title: string;
  /** Number of its acceptance criteria. */
  readonly criteria: number;
}

/**
 * Why a text is not a valid plan of a revision, in one line. The engine that wrote the text is
 * given the same line.
 */
export interface BadRevisionPlan {
  readonly kind: "bad-revision-plan";
  readonly reason: string;
}

const START_TAG = "<revision-plan>";
const END_TAG = "</revision-plan>";

/**
 * Extracts the plan from an engine's output: the text between the last complete pair of tags,
 * because an echoed prompt or a discarded draft may contain earlier pairs. Undefined if there is no
 * complete pair.
 */
export function planIn(output: string): string | undefined {
  const end = output.lastIndexOf(END_TAG);
  const start = end < 0 ? -1 : output.lastIndexOf(START_TAG, end);
  return start < 0 ? undefined : output.slice(start + START_TAG.length, end).trim();
}

/**
 * Parses and checks a plan: every item needs a title, a description and unticked criteria (seed
 * 000, US-003).
 */
export function readRevisionPlan(text: string): Result<RevisionPlan, BadRevisionPlan> {
  const compiled = compileRevision(text);
  if (!compiled.ok) return bad(reasonOf(compiled.failure));
  const stories = readStories(text, "RI");
  if (!stories.ok) return bad(reasonOf(stories.failure));
  for (const { id, title, description, criteria } of stories.value) {
    if (title === "") return bad(`${id} has no title`);
    if (description === "") return bad(`${id} has no \`**Description:**\``);
    if (criteria.some(({ ticked }) => ticked)) {
      return bad(`a criterion of ${id} is ticked already, though nothing of it was done yet`);
    }
  }
  const items = stories.value.map(({ id, title, criteria }) => {
    return { id, title, criteria: criteria.length };
  });
  return ok({ text, plan: compiled.value, items });
}

function reasonOf(failure: CompileFailure): string {
  switch (failure.kind) {
    case "tasks":
      return `line ${String(failure.line)}: ${failure.problem}`;
    case "task-list":
      return failure.problem;
    case "all-done":
      return "every criterion is ticked already, though nothing was done yet";
  }
}

function bad(reason: string): Result<never, BadRevisionPlan> {
  return fail({ kind: "bad-revision-plan", reason });
}
