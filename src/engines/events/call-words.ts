import { cleanText } from "../../base/words/clean-text.ts";
import type { BrokenServer, Denial } from "./engine-event.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { valueAt } from "./json-value.ts";

/** The keys of a tool's input whose value best summarizes the call. */
const COMMANDS = ["command", "cmd"];
const PATHS = ["file_path", "filePath", "path", "absolute_path", "dir_path"];
const OTHERS = ["pattern", "query", "url"];

/** The value that best summarizes a tool's input; `undefined` if there is none. */
export function tellingInput(input: string): string | undefined {
  return textOf(input, [...COMMANDS, ...PATHS, ...OTHERS]);
}

/** How many calls are named; the others are only counted. */
const NAMED_MAX = 3;
const TOOL_CHARS_MAX = 60;
const COMMAND_CHARS_MAX = 80;
const PATH_CHARS_MAX = 60;

/**
 * Describes refused calls in one line for people, each only once: `view on …/request.md; bash: cat x; and 2 more`.
 * Cleaned and of limited length; empty if nothing was refused.
 */
export function refusedWords(denials: readonly Pick<Denial, "tool" | "input">[]): string {
  const named = [...new Set(denials.map(nameOf))];
  const rest = named.length - NAMED_MAX;
  const more = rest > 0 ? [`and ${String(rest)} more`] : [];
  return [...named.slice(0, NAMED_MAX), ...more].join("; ");
}

function nameOf({ tool, input }: Pick<Denial, "tool" | "input">): string {
  const name = oneLine(tool, TOOL_CHARS_MAX);
  const command = textOf(input, COMMANDS);
  if (command !== undefined) return `${name}: ${oneLine(command, COMMAND_CHARS_MAX)}`;
  const path = textOf(input, PATHS);
  if (path === undefined) return name;
  return `${name} on ${oneLine(path.replace(/^\/.*\/(?=[^/]+\/?$)/su, "…/"), PATH_CHARS_MAX)}`;
}

function textOf(input: string, names: readonly string[]): string | undefined {
  const given = jsonOf(input);
  if (given === undefined) return cutTextOf(input, names);
  const found = names.map((name) => valueAt(given, name)).find((value) => value !== undefined);
  if (Array.isArray(found)) return found.map(String).join(" ");
  return typeof found === "string" ? found : undefined;
}

/** For an input of which only the beginning was kept, such as a file with its content. */
function cutTextOf(input: string, names: readonly string[]): string | undefined {
  const [, name, text] = /^\{"(\w+)":"((?:[^"\\]|\\.)*)/su.exec(input) ?? [];
  return name !== undefined && names.includes(name) ? text : undefined;
}

function oneLine(text: string, charsMax: number): string {
  return cleanText(text, { charsMax, lines: "one" });
}

/** `the MCP server notes did not start (exit code 3)`. */
export function brokenServerWords({ name, reason }: BrokenServer): string {
  const text = `the MCP server ${name} did not start${reason === undefined ? "" : ` (${reason})`}`;
  return cleanText(text, { charsMax: SERVER_CHARS_MAX, lines: "one" });
}

const SERVER_CHARS_MAX = 300;
