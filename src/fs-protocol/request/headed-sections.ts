import { cleaned } from "../tasks/tasks-sections.ts";
import { boxTask, outermostBoxes } from "./box-milestones.ts";
import type { BoxedSection } from "./boxed-sections.ts";
import type { DocumentMilestone } from "./task-document.ts";

/** A heading with the sections inside of it. */
export interface HeadedSections {
  readonly name: string;
  readonly depth: number;
  readonly sections: readonly BoxedSection[];
}

interface OpenSections extends HeadedSections {
  readonly sections: BoxedSection[];
}

/** The sections whose headings are wanted, each up to the next one or the next heading of its level. */
export function headedSections(
  sections: readonly BoxedSection[],
  isWanted: (section: BoxedSection) => boolean,
): readonly HeadedSections[] {
  const wanted: OpenSections[] = [];
  let open: OpenSections | undefined;
  for (const section of sections) {
    const { heading: name, depth } = section;
    if (isWanted(section)) {
      open = { name, depth, sections: [section] };
      wanted.push(open);
    } else if (depth <= (open?.depth ?? 0)) open = undefined;
    else open?.sections.push(section);
  }
  return wanted;
}

/**
 * A heading as a milestone of all boxes inside of it. Without any it is a single task, with
 * everything inside of it as steps.
 */
export function headedMilestone({ name, sections }: HeadedSections): DocumentMilestone {
  const about = sections.flatMap((section, index) => [
    ...(index === 0 ? [] : ["", `${"#".repeat(section.depth)} ${section.heading}`, ""]),
    ...section.about,
  ]);
  const tasks = outermostBoxes(sections).map((box) => boxTask(box));
  if (tasks.length > 0) return { name, about, tasks };
  const steps = about.map(withoutMarker).filter((line) => line !== "");
  return { name, about: [], tasks: [{ text: name, steps, ticked: false }] };
}

function withoutMarker(line: string): string {
  return cleaned(line).replace(/^[-*+] (?=\S)/, "");
}
