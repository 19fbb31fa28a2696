import type { RevisionPlan } from "./revision-plan.ts";

/** The content of the `request.md` of a revision. */
export interface RevisionRequest {
  /** Id of the session that it revises, and the number of the revision. */
  readonly parent: string;
  readonly revision: number;
  /** The problems that a person found, in their own words. */
  readonly problems: readonly string[];
  readonly plan: Pick<RevisionPlan, "text">;
  /** Path and text of the request that the work was originally done for. */
  readonly original: { readonly path: string; readonly text: string };
}

/**
 * A longer original is named but not quoted, because a document of wisp may be at most twice this
 * size.
 */
const QUOTED_CHARS_MAX = 1024 * 1024;

/**
 * Renders the `request.md` of a revision: why it exists, what has to be fixed, and the original
 * request, so that the agents that fix the work know its purpose (seed 000, US-006). Problems are
 * rendered as a list and the original as a quotation, so that no heading in them is parsed as an
 * item.
 */
export function renderRevisionRequest(request: RevisionRequest): string {
  const { parent, revision, problems, plan, original } = request;
  return `# Revision ${String(revision)} of ${parent}

The work of the session \`${parent}\` was finished, and then looked at. What is wrong with it stands under
"Problems", and what has to be done about it under "Items". It was made for this request, which stands at
the end as well: \`${original.path}\`

## Problems

${numberedList(problems)}

## Items

${plan.text.trim()}

## The original request

${quotedText(original.text)}
`;
}

/**
 * Renders a numbered list in Markdown; the lines of an entry are indented so that they stay inside
 * it.
 */
export function numberedList(entries: readonly string[]): string {
  return entries
    .map((entry, index) => {
      const mark = `${String(index + 1)}. `;
      return mark + linesOf(entry.trim()).join(`\n${" ".repeat(mark.length)}`);
    })
    .join("\n");
}

function quotedText(text: string): string {
  if (text.length > QUOTED_CHARS_MAX) return "It is too long to be quoted here.";
  const quoted = linesOf(text.replace(/^\ufeff/u, "").trimEnd()).map((line) =>
    line === "" ? ">" : `> ${line}`,
  );
  return quoted.join("\n");
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/u);
}
