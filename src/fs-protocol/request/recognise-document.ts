import { readBmadStory } from "./bmad-story.ts";
import { readBoxedSections } from "./boxed-sections.ts";
import { readKiro } from "./kiro.ts";
import { readNumberedHeadings } from "./numbered-headings.ts";
import { readOpenSpec } from "./openspec.ts";
import { readRalphexPlan } from "./ralphex-plan.ts";
import { readSpecKit } from "./spec-kit.ts";
import type { TaskDocument } from "./task-document.ts";

/** The forms with the most distinctive marks first. */
const READERS = [
  readSpecKit,
  readBmadStory,
  readRalphexPlan,
  readOpenSpec,
  readKiro,
  readNumberedHeadings,
];

/**
 * Reads a Markdown document in which another tool, or a person, keeps tasks, by what stands in it: neither its
 * name nor a model decides. Returns undefined if it has none of the forms; docs/FORMATS.md describes
 * them.
 */
export function recogniseDocument(text: string): TaskDocument | undefined {
  const sections = readBoxedSections(text);
  if (sections === undefined) return undefined;
  for (const read of READERS) {
    const document = read(sections);
    if (document !== undefined) return document;
  }
  return undefined;
}
