import type { Element } from "hast";
import { h } from "hastscript";
import { toHtml } from "hast-util-to-html";
import type { Tone } from "../../base/words/sentence.ts";
import { stateTone, type ListedSession } from "../next/session-rows.ts";

/** A session whose home cannot be read, and why in a few words. */
export interface UnreadSession {
  readonly session: string;
  readonly problem: string;
}

/**
 * The sessions to choose from, newest first, as HTML. All text from files is escaped.
 *
 * @param olderCount how many more there are
 */
export function sessionNav(
  sessions: readonly ListedSession[],
  unread: readonly UnreadSession[],
  olderCount = 0,
): string {
  const entries = [...sessions]
    .reverse()
    .map((one) => entryOf(one.session, stateTone(one), one.says, progressOf(one)));
  const rest = unread.map(({ session, problem }) =>
    entryOf(session, "bad", `cannot be read (${problem})`, ""),
  );
  const more =
    olderCount === 0 ? [] : [h("li", { class: "faint" }, `${String(olderCount)} older: wisp list`)];
  return toHtml(h("ul", {}, [...entries, ...rest, ...more]));
}

function entryOf(session: string, tone: Tone, says: string, progress: string): Element {
  return h(
    "li",
    { "data-key": session },
    h("button", { type: "button", "data-session": session }, [
      h("span", { class: "name" }, session),
      h("span", { class: `says ${tone}` }, says),
      h("span", { class: "faint" }, progress),
    ]),
  );
}

function progressOf({ tasks, questions, openItems }: ListedSession): string {
  return [
    `${String(tasks.done)}/${String(tasks.of)} tasks`,
    ...(questions === 0 ? [] : [`${String(questions)} asked`]),
    ...(openItems === 0 ? [] : [`${String(openItems)} open`]),
  ].join(", ");
}
