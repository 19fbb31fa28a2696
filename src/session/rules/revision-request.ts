import type { RevisionPlan } from "./revision-plan.ts";

/** What the `request.md` of a revision is written from. */
export interface RevisionRequest {
  /** Id of the session that it mends, and which revision of it this is. */
  readonly parent: string;
  readonly revision: number;
  /** What a person found wrong, in their words. */
  readonly problems: readonly string[];
  readonly plan: Pick<RevisionPlan, "text">;
  /** The request that the work was done for: its file, and its text. */
  readonly original: { readonly path: string; readonly text: string };
}

/** Beyond this the original is named, and not quoted: a document of wisp has at most twice of it. */
const QUOTED_CHARS_MAX = 1024 * 1024;

/**
 * The `request.md` of a revision: why there is one, what is to be done, and what the work was made for, so
 * that whoever mends it knows (seed 000, US-006). Problems stand in a list and the original in a
 * quotation, so that no heading in them can be taken for an item.
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

/** A numbered list in Markdown; whatever an entry holds stays inside it. */
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
