import { assert, present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { Purpose } from "../../engines/engine.ts";
import { join } from "node:path";

/** One template for each purpose but `revise`, and others for a changed request and for revisions. */
export type TemplateName =
  | Exclude<Purpose, "revise">
  | "update"
  | "build-revision"
  | "revision-plan-instructions"
  | "revision-request";

/** Prompt templates: the user's own from `.wisp/templates/`, otherwise the shipped ones. */
export interface Templates {
  render(name: TemplateName, values: Readonly<Record<string, string>>): string;
}

const SLOT = /\{\{([a-z_]+)\}\}/g;
/** A line that consists of one slot, with the empty line after it. */
const SLOT_LINE = /^\{\{([a-z_]+)\}\}\n(?:\n|$)/gm;

/**
 * Fills `{{slots}}`. Slots inside a value are not filled; a slot without a value stays. If the value is empty, a line
 * that consists of the slot is removed together with the empty line after it.
 */
export function renderTemplate(text: string, values: Readonly<Record<string, string>>): string {
  const withoutEmpty = text.replace(SLOT_LINE, (line, name: string) =>
    Object.hasOwn(values, name) && values[name] === "" ? "" : line,
  );
  return withoutEmpty.replace(SLOT, (slot, name: string) =>
    // `hasOwn`, because a slot may have a name that every object inherits, such as `constructor`.
    Object.hasOwn(values, name) ? (values[name] ?? slot) : slot,
  );
}

/**
 * Reads templates from directories.
 *
 * @param directories absolute, in order of preference; the last one has every template
 */
export function createTemplates(files: Files, directories: readonly string[]): Templates {
  assert(directories.length > 0, "there is a directory of templates");
  return {
    render(name, values) {
      const text = directories
        .map((directory) => need(files.read(join(directory, `${name}.md`), DOCUMENT_BYTES_MAX)))
        .find((bytes) => bytes !== undefined);
      const bytes = present(text, `there is a template for ${name}`);
      return renderTemplate(withRequiredSlots(new TextDecoder().decode(bytes), values), values);
    },
  };
}

/**
 * Slots that are appended if a template lacks them, because a user may have written it before they existed: what each
 * reviewer checks, which commits nobody has reviewed, which files to read, and what finished work may be changed.
 */
const REQUIRED_SLOTS = ["reviewers", "commits", "files", "preserve"];

function withRequiredSlots(text: string, values: Readonly<Record<string, string>>): string {
  const missing = REQUIRED_SLOTS.filter(
    (name) => (values[name] ?? "") !== "" && !text.includes(`{{${name}}}`),
  );
  return [text, ...missing.map((name) => `\n\n{{${name}}}\n`)].join("");
}
