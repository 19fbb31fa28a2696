import type { TestIdentity } from "./test-identity.ts";

/** Reads the tests that passed in the output of one kind of runner, as far as it lists them by name. */
export type PassReader = (lines: readonly string[]) => readonly TestIdentity[];

/** The titles of the groups that are open, by their indentation. */
export type OpenTitles = Map<number, string>;

/** Opens a group: those at its indentation and further in have ended. */
export function openTitle(titles: OpenTitles, indent: number, title: string): void {
  closeTitles(titles, indent);
  titles.set(indent, title);
}

/** The titles around what stands at an indentation. */
export function titlesAround(titles: OpenTitles, indent: number): readonly string[] {
  return [...titles].filter(([each]) => each < indent).map(([, title]) => title);
}

function closeTitles(titles: OpenTitles, indent: number): void {
  for (const each of [...titles.keys()]) if (each >= indent) titles.delete(each);
}
