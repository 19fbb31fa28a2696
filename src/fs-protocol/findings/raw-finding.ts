import { FINDING_TEXT_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { levelOf, type Level } from "../records/finding.ts";

/**
 * A finding or bug as an engine printed it: cleaned and bounded, but without identity or owner yet.
 */
export interface RawFinding {
  /** The id that the engine gave it, such as `SEC-001`; wisp derives its own from the content. */
  readonly label: string | undefined;
  /** The finding's own level, if a `Level:` line names one. */
  readonly level: Level | undefined;
  readonly category: string;
  readonly brief: string;
  /** Path in the repository, with `/`: never absolute, never outside. */
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly issue: string;
  readonly suggestion: string;
  readonly command: string | undefined;
}

/** A finding as collected line by line, before anything in it is trusted. */
export interface FindingDraft {
  readonly title: string;
  /** Text between the title and the first field. */
  readonly lead: readonly string[];
  readonly fields: ReadonlyMap<FieldName, readonly string[]>;
}

/** The names of a finding's fields. */
export const FIELD_NAMES = ["file", "issue", "suggestion", "level", "command", "output"] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

export const CATEGORY_CHARS_MAX = 100;
export const BRIEF_CHARS_MAX = 300;
const LABEL_CHARS_MAX = 100;
const FILE_CHARS_MAX = 1_000;
const LINE_MAX = 10_000_000;
const CATEGORY_UNKNOWN = "General";

/** What the encoder writes for an empty field; models write it too. */
export const NOTHING = "(none)";
const NOTHING_SAID = /^[([]?(?:none|n\/?a|not applicable|-)[)\]]?\.?$/iu;

/**
 * Converts a draft to a finding. Returns `undefined` if it is none: it has no brief, or none of the
 * fields that distinguish a finding from an item of prose. `root` is an absolute folder whose paths
 * count as paths in the repository. A file elsewhere is left out of `file` and mentioned in the
 * text.
 */
export function rawFindingOf(
  draft: FindingDraft,
  root: string | undefined,
): RawFinding | undefined {
  const title = titleOf(draft.title);
  const hasEvidence = EVIDENCE.some((name) => draft.fields.has(name));
  if (title.brief === "" || !hasEvidence) return undefined;
  const place = placeOf(fieldOf(draft, "file"), root);
  // The output that an engine claims to have seen becomes part of the issue: wisp runs the command
  // itself.
  const saw = fieldOf(draft, "output");
  const issue = [
    draft.lead.join("\n").trim(),
    fieldOf(draft, "issue"),
    place.refused,
    saw === "" ? "" : `Output: ${saw}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
  const command = unwrapCode(fieldOf(draft, "command"));
  return {
    ...title,
    level: levelOf(/[a-z]+/u.exec(fieldOf(draft, "level").toLowerCase())?.[0]),
    file: place.file,
    line: place.line,
    issue: paragraph(issue === "" ? title.brief : issue),
    suggestion: paragraph(fieldOf(draft, "suggestion")),
    command: command === "" ? undefined : paragraph(command),
  };
}

const EVIDENCE: readonly FieldName[] = ["file", "issue", "suggestion", "command"];

const LABEL = /^\[?([A-Z][A-Z0-9_]*(?:-[A-Za-z0-9]+)+)\]?[*_]{0,2}\s*:\s*(.*)$/u;
const BOLD = /^(?:\*\*|__)(.+?)(?:\*\*|__)\s*([:–—-]?)\s*(.*)$/u;

/** Whether a title begins with an id such as `**SEC-001**:`, so that it can only be a finding's. */
export function hasLabel(title: string): boolean {
  return LABEL.test(title.replace(/^[*_]{2}/u, ""));
}

type Title = Pick<RawFinding, "label" | "category" | "brief">;

/** Parses `**SEC-001**: Security - Token in the log` and the variants that models produce. */
function titleOf(title: string): Title {
  const line = cleanText(title, { charsMax: FINDING_TEXT_CHARS_MAX, lines: "one" });
  const [, inner = "", mark = "", rest = ""] = BOLD.exec(line) ?? [];
  if (inner !== "" && rest !== "" && (mark === ":" || inner.endsWith(":"))) {
    const label = inner.replace(/:$/u, "").replace(/^\[(.*)\]$/u, "$1");
    return { label: bound(label, LABEL_CHARS_MAX), ...subjectOf(rest) };
  }
  const plain = inner === "" ? line : [inner, mark, rest].filter((part) => part !== "").join(" ");
  const [, label, subject = ""] = LABEL.exec(plain) ?? [];
  return { label: label && bound(label, LABEL_CHARS_MAX), ...subjectOf(label ? subject : plain) };
}

function subjectOf(text: string): Pick<Title, "category" | "brief"> {
  const [, category, brief = ""] = /^(.{1,200}?)\s[–—-]\s(.+)$/u.exec(text) ?? [];
  return category === undefined
    ? { category: CATEGORY_UNKNOWN, brief: bound(text, BRIEF_CHARS_MAX) }
    : { category: bound(category, CATEGORY_CHARS_MAX), brief: bound(brief, BRIEF_CHARS_MAX) };
}

function fieldOf(draft: FindingDraft, name: FieldName): string {
  const text = (draft.fields.get(name) ?? []).join("\n").trim();
  return text === NOTHING ? "" : text.replace(/^\\/u, "");
}

interface PlaceInFile {
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** What was given instead of a usable path, as text for the issue; empty if nothing was. */
  readonly refused: string;
}

function placeOf(text: string, root: string | undefined): PlaceInFile {
  const given = cleanText(text, { charsMax: FINDING_TEXT_CHARS_MAX, lines: "one" });
  const bare = given.replace(/^`([^`]*)`/u, "$1").replace(/^\[([^\]]*)\]\([^)]*\)/u, "$1");
  if (bare === "" || NOTHING_SAID.test(bare))
    return { file: undefined, line: undefined, refused: "" };
  const [, named = bare, digits = ""] = LOCATION.exec(bare) ?? LOCATION_IN_TEXT.exec(bare) ?? [];
  const file = repositoryPath(named.split(", ", 1)[0] ?? "", root);
  if (file === undefined) return { file, line: undefined, refused: `(file as given: ${given})` };
  const line = Number.parseInt(digits, 10);
  return { file, line: line >= 1 && line <= LINE_MAX ? line : undefined, refused: "" };
}

const LOCATION = /^([^:,]+):(\d{1,9})$/u;
const LOCATION_IN_TEXT = /^(.+?)(?:[:#]L?|,?\s+\(?[Ll]ines?\s+)(\d{1,9})(?!\w|\.\w)/u;

/** The path below the repository with `/`, or `undefined` if it is absolute or leads outside. */
function repositoryPath(path: string, root: string | undefined): string | undefined {
  const slashed = path.includes("/") ? path : path.replaceAll("\\", "/");
  const inside = root !== undefined && slashed.startsWith(`${root}/`);
  const relative = inside ? slashed.slice(root.length + 1) : slashed;
  if (/^(?:\/|~|[A-Za-z]:[\\/])/u.test(relative) || relative.length > FILE_CHARS_MAX)
    return undefined;
  const parts: string[] = [];
  for (const part of relative.trim().split("/")) {
    if (part === ".." && parts.pop() === undefined) return undefined;
    if (part !== "" && part !== "." && part !== "..") parts.push(part);
  }
  return parts.length === 0 ? undefined : parts.join("/");
}

/** The command without surrounding backticks or fence. */
function unwrapCode(text: string): string {
  const lines = text.split("\n");
  const isFenced =
    lines.length > 2 &&
    /^(?:`{3,}|~{3,})/u.test(text) &&
    /^(?:`{3,}|~{3,})$/u.test(lines.at(-1) ?? "");
  if (isFenced) return lines.slice(1, -1).join("\n");
  return /^`[^`\n]+`$/u.test(text) ? text.slice(1, -1) : text;
}

function paragraph(text: string): string {
  return cleanText(text.trim(), { charsMax: FINDING_TEXT_CHARS_MAX, lines: "many" });
}

function bound(text: string, charsMax: number): string {
  return cleanText(text, { charsMax, lines: "one" });
}
