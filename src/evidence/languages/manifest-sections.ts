import type { Manifest } from "./test-language.ts";

interface Section {
  readonly header: string;
  readonly lines: readonly string[];
}

/**
 * Returns a function that restores the sections of a TOML or INI file that steer tests.
 *
 * @param steers matches the headers of these sections
 * @param exclusions matches lines that are removed from the other sections, unless they were there before
 */
export function withSections(steers: RegExp, exclusions?: RegExp): Manifest["restored"] {
  return (before = "", after) => {
    const former = sectionsIn(before).filter(({ header }) => steers.test(header));
    const now = sectionsIn(after);
    const rest = now.filter(({ header }) => !steers.test(header));
    const steering = now.filter(({ header }) => steers.test(header));
    const known = before.split("\n");
    const isAllowed = (line: string) => exclusions?.test(line) !== true || known.includes(line);
    const cleaned = rest.map(({ header, lines }) => ({ header, lines: lines.filter(isAllowed) }));
    const isSame = textOf(former).trim() === textOf(steering).trim();
    if (isSame && textOf(cleaned) === textOf(rest)) return after;
    return `${textOf([...cleaned, ...former]).trimEnd()}\n`;
  };
}

function sectionsIn(text: string): readonly Section[] {
  const sections: { header: string; lines: string[] }[] = [{ header: "", lines: [] }];
  for (const line of text.split("\n")) {
    if (/^\[.+\]/.test(line)) sections.push({ header: line, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

function textOf(sections: readonly Section[]): string {
  return sections
    .flatMap(({ header, lines }) => (header === "" ? lines : [header, ...lines]))
    .join("\n");
}
