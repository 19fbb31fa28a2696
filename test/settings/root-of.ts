import type { RootFiles } from "../../src/settings/detect/root-files.ts";

/** A project's root with these files; an empty text for those whose content does not matter. */
export function rootOf(files: Readonly<Record<string, string>>): RootFiles {
  const texts = new Map(Object.entries(files));
  return { names: new Set(texts.keys()), read: (name) => texts.get(name) };
}
