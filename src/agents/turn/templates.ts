import { assert, present } from "../../base/assert.ts";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { Purpose } from "../../engines/engine.ts";
import { join } from "node:path";

/** A plan that follows a change of the request has a template of its own, and so has what revisions are made of. */
export type TemplateName =
  | Exclude<Purpose, "revise">
  | "update"
  | "build-revision"
  | "revision-plan-instructions"
  | "revision-request";

/** Prompts by purpose: the user's own from `.wisp/templates/`, else the shipped ones. */
export interface Templates {
  render(name: TemplateName, values: Readonly<Record<string, string>>): string;
}

const SLOT = /\{\{([a-z_]+)\}\}/g;
/** A line that is one slot, with the empty line after it. */
const SLOT_LINE = /^\{\{([a-z_]+)\}\}\n(?:\n|$)/gm;

/**
 * Fills `{{slots}}`. Values are put in as they are and not looked at again; a slot without a value stays. Where the
 * value is empty, a line that is the slot alone goes with the empty line after it.
 */
export function renderTemplate(text: string, values: Readonly<Record<string, string>>): string {
  const said = text.replace(SLOT_LINE, (line, name: string) =>
    Object.hasOwn(values, name) && values[name] === "" ? "" : line,
  );
  return said.replace(SLOT, (slot, name: string) =>
    // A name that every object has, such as `constructor`, is no value.
    Object.hasOwn(values, name) ? (values[name] ?? slot) : slot,
  );
}

/**
 * Templates from two directories, the user's first.
 *
 * @param directories absolute, in order of preference; the last one has every purpose
 */
export function createTemplates(files: Files, directories: readonly string[]): Templates {
  assert(directories.length > 0, "there is a directory of templates");
  return {
    render(name, values) {
      const text = directories
        .map((directory) => need(files.read(join(directory, `${name}.md`), DOCUMENT_BYTES_MAX)))
        .find((bytes) => bytes !== undefined);
      const bytes = present(text, `there is a template for ${name}`);
      return renderTemplate(withNeeded(new TextDecoder().decode(bytes), values), values);
    },
  };
}

/**
 * What stands at the end where a template has no slot for it, since it was written before there was one: what each
 * reviewer looks for, which commits nobody has looked at, what there is to read, and what may be done anew.
 */
const NEEDED = ["reviewers", "commits", "files", "preserve"];

function withNeeded(text: string, values: Readonly<Record<string, string>>): string {
  const missing = NEEDED.filter(
    (name) => (values[name] ?? "") !== "" && !text.includes(`{{${name}}}`),
  );
  return [text, ...missing.map((name) => `\n\n{{${name}}}\n`)].join("");
}
