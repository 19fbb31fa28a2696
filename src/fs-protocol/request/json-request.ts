import type { Result } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import type { Story } from "./stories.ts";
import type { ListedTask } from "../tasks/task-list.ts";
import { listFailure, readTaskList, type TaskListFailure } from "./read-task-list.ts";
import type { TaskDocument } from "./task-document.ts";
import { readTaskmaster } from "./taskmaster.ts";
import { isUserStories, readUserStories } from "./read-user-stories.ts";

/** A request in JSON, by the kind of list that it holds. */
export type JsonRequest =
  | { readonly kind: "list"; readonly tasks: Result<readonly ListedTask[], TaskListFailure> }
  | { readonly kind: "stories"; readonly stories: Result<readonly Story[], TaskListFailure> }
  | { readonly kind: "document"; readonly document: Result<TaskDocument, TaskListFailure> };

/** The whole text is one code block, as models print it. */
const FENCED =
  /^\s*(?<fence>`{3,}|~{3,})[ \t]*(?:json)?[ \t]*\r?\n(?<inside>[^]*?)\r?\n[ \t]*\k<fence>\s*$/i;
/** A list of objects, or an object with stories, valid JSON or not. */
const BEGINS_AS_LIST = /^\s*\[\s*(?:\{\s*["}]|\]\s*$)/;
const BEGINS_AS_OBJECT = /^\s*\{\s*"/;
const BEGINS_AS_STORIES = /^\s*\{\s*"(?:[^]*")?userStories"\s*:/;

/**
 * Reads a request in JSON: a list of tasks, an object with `userStories`, or the tasks of
 * Taskmaster. A text that begins like one of the first two but is invalid JSON is a failure. Returns undefined for any other text,
 * including other JSON, whose meaning is uncertain.
 */
export function readJsonRequest(given: string): JsonRequest | undefined {
  const text = insideFence(given) ?? given.replace(/^\ufeff/, "");
  if (BEGINS_AS_LIST.test(text)) {
    const items = jsonOf(text);
    const noJson = listFailure(undefined, "it begins like a JSON list, but is no JSON");
    return { kind: "list", tasks: Array.isArray(items) ? readTaskList(items) : noJson };
  }
  if (!BEGINS_AS_STORIES.test(text)) {
    const document = BEGINS_AS_OBJECT.test(text) ? readTaskmaster(jsonOf(text)) : undefined;
    return document && { kind: "document", document };
  }
  const parsed = jsonOf(text);
  if (parsed === undefined) {
    const problem = "it begins like a JSON object with `userStories`, but is no JSON";
    return { kind: "stories", stories: listFailure(undefined, problem) };
  }
  const items: unknown = isObject(parsed) ? parsed["userStories"] : undefined;
  if (!Array.isArray(items) || !isUserStories(items)) return undefined;
  return { kind: "stories", stories: readUserStories(items) };
}

/** Undefined if the text is not a code block, or is several. */
function insideFence(text: string): string | undefined {
  const { fence = "", inside = "" } = FENCED.exec(text)?.groups ?? {};
  return fence === "" || inside.includes(fence) ? undefined : inside;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
