import { fail, ok, type Result } from "../../base/result.ts";
import { compileRevision, type CompiledRequest, type CompileFailure } from "./compile-request.ts";
import { readStories } from "../../fs-protocol/request/stories.ts";

/** What is to be mended, item for item: valid as it stands. */
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
  /** How many acceptance criteria it has. */
  readonly criteria: number;
}

/** Why a text is no plan of a revision: one line, which an engine is told as well. */
export interface BadRevisionPlan {
  readonly kind: "bad-revision-plan";
  readonly reason: string;
}

const OPENS = "<revision-plan>";
const CLOSES = "</revision-plan>";

/**
 * The plan in what an engine said: what stands between the last complete pair of its tags. A prompt that is
 * echoed, or a draft that was thrown away, stands before it. Undefined: there is no such pair.
 */
export function planIn(output: string): string | undefined {
  const end = output.lastIndexOf(CLOSES);
  const start = end < 0 ? -1 : output.lastIndexOf(OPENS, end);
  return start < 0 ? undefined : output.slice(start + OPENS.length, end).trim();
}

/** Checks a plan: items with a description and open criteria (seed 000, US-003). */
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
