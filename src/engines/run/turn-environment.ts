import type { TurnRequest } from "../engine.ts";

/** The variables that describe the turn to an engine, each with the field of the request it comes from. */
const FIELDS = {
  WISP_ROLE: "role",
  WISP_PURPOSE: "purpose",
  WISP_SESSION: "session",
  WISP_HOME: "home",
  WISP_UNIT: "unit",
  WISP_ATTEMPT: "attempt",
  WISP_ASK: "ask",
  WISP_MODEL: "model",
  WISP_MILESTONE: "milestone",
  WISP_START_SHA: "startSha",
  WISP_END_SHA: "endSha",
  WISP_FOLDER: "folder",
  WISP_TASKS_FILE: "tasksFile",
  WISP_FINDING: "finding",
} as const satisfies Readonly<Record<string, keyof TurnRequest>>;

/**
 * The complete environment of an engine: `base` with the variables of the turn. Those that do not apply are removed
 * even from `base`, because wisp may itself run inside one of its turns.
 */
export function turnEnvironment(
  base: Readonly<Record<string, string>>,
  request: TurnRequest,
): Readonly<Record<string, string>> {
  const inherited = Object.entries(base).filter(([name]) => !Object.hasOwn(FIELDS, name));
  const own = Object.entries(FIELDS).flatMap(([name, field]) => {
    const value = request[field];
    // A NUL cannot be in a variable, and would make the start of the process fail.
    return value === undefined ? [] : [[name, String(value).replaceAll("\0", "")] as const];
  });
  return Object.fromEntries([...inherited, ...own]);
}
