import { cleanText } from "../../base/words/clean-text.ts";
import { inSentences } from "../../base/words/in-sentences.ts";
import type { SteeringBase } from "../../git/steering/steering-base.ts";

const NAMED_MAX = 20;
const PATH_CHARS_MAX = 200;

/**
 * What a prompt says about the files that steer agents; empty if the engine sees everything by itself.
 *
 * @param unread which instructions of the base the engine does not read by itself
 */
export function steeringWords(
  { base, changed }: { readonly base: SteeringBase; readonly changed: readonly string[] },
  unread: RegExp | undefined,
): string {
  return [placedWords(changed), leftWords(base.left), unreadWords(base, unread)]
    .filter((text) => text !== "")
    .join("\n\n");
}

function placedWords(changed: readonly string[]): string {
  if (changed.length === 0) return "";
  return inSentences(
    "The files that instruct and set up coding agents are in this working tree as they were before the work began, so that the work does not instruct you",
    `These are not as on the branch: ${named(changed)}`,
    "That is no fault of the work: what it has there is in its commits (`git show HEAD:<path>`)",
    "What you change at such paths is not kept",
  );
}

function leftWords(left: readonly string[]): string {
  if (left.length === 0) return "";
  return `Of these files, some are missing because they are too many or too large: ${named(left)}.`;
}

function unreadWords({ roots }: SteeringBase, unread: RegExp | undefined): string {
  const paths = [...roots.values()].flat().map(({ path }) => path);
  const own = paths.filter((path) => unread?.test(path) === true);
  if (own.length === 0) return "";
  return `The project's own instructions for coding agents are in ${named(own)}. Read them before you begin.`;
}

function named(paths: readonly string[]): string {
  const shown = paths
    .slice(0, NAMED_MAX)
    .map((path) => cleanText(path, { charsMax: PATH_CHARS_MAX, lines: "one" }));
  const more = paths.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`;
}
