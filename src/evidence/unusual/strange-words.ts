import { count } from "../../base/words/sentence.ts";
import type { Unusual } from "./find-unusual.ts";

/** The kinds that are found in the content and the messages of commits. */
type Strange = Extract<
  Unusual,
  {
    readonly kind:
      | "secret"
      | "hidden order"
      | "dependency"
      | "switched off"
      | "check settings"
      | "lost document"
      | "left behind"
      | "trailer"
      | "not whole";
  }
>;

/** The names of dependencies that one line lists at most. */
const NAMES_MAX = 10;

/** What a line says of such a thing, without its commits. */
export function strangeWords(one: Strange, shown: (words: string) => string): string {
  switch (one.kind) {
    case "secret": {
      const place = one.line === undefined ? one.path : `${one.path}:${String(one.line)}`;
      const since = one.isGone ? ", removed since, but it stays in the history" : "";
      return `${shown(place)} (secret: ${one.form}${since})`;
    }
    case "hidden order":
      return `${shown(`${one.path}:${String(one.line)}`)} (${count(one.count, "line")} with characters that reorder what is shown)`;
    case "dependency":
      return dependencyWords(one, shown);
    case "switched off":
      return `${shown(one.path)} (lint or types switched off ${times(one.count)}: ${shown(one.words.join(", "))})`;
    case "check settings":
      return `${shown(one.path)} (settings of lint or types changed)`;
    case "lost document":
      return `${shown(one.path)} (deleted, and nobody asked for it)`;
    case "left behind":
      return `${shown(one.path)} (ignored by git, so no commit has it, but ${shown(one.by)} names it)`;
    case "trailer":
      return `${shown(`${one.trailer}: ${one.who}`)} (written into a commit message, not said by anybody)`;
    case "not whole":
      return "what the commits change was not looked at whole: it is too long";
  }
}

function times(number: number): string {
  return ["never", "once", "twice"][number] ?? `${String(number)} times`;
}

function dependencyWords(
  { path, names }: Extract<Strange, { readonly kind: "dependency" }>,
  shown: (words: string) => string,
): string {
  if (names.length === 0) return `${shown(path)} (unreadable, so what it depends on is not known)`;
  const listed = names.slice(0, NAMES_MAX).join(", ");
  const rest = names.length - NAMES_MAX;
  const more = rest > 0 ? ` and ${String(rest)} more` : "";
  const word = names.length === 1 ? "dependency" : "dependencies";
  return `new ${word} ${shown(listed)}${more} (${shown(path)})`;
}
