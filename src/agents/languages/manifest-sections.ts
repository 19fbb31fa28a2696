import type { Manifest } from "./test-language.ts";

interface Section {
  readonly header: string;
  readonly lines: readonly string[];
}

/**
 * How a file of sections (TOML, INI) gets those back that steer tests, with what stood in them.
 *
 * @param steers headers of these sections
 * @param exclusions lines of the others that are taken out where they were not there before
 */
export function withSections(steers: RegExp, exclusions?: RegExp): Manifest["restored"] {
  return (before = "", after) => {
    const was = sectionsIn(before).filter(({ header }) => steers.test(header));
    const now = sectionsIn(after);
    const rest = now.filter(({ header }) => !steers.test(header));
    const steering = now.filter(({ header }) => steers.test(header));
    const known = before.split("\n");
    const isLeft = (line: string) => exclusions?.test(line) !== true || known.includes(line);
    const opened = rest.map(({ header, lines }) => ({ header, lines: lines.filter(isLeft) }));
    const isSame = textOf(was).trim() === textOf(steering).trim();
    if (isSame && textOf(opened) === textOf(rest)) return after;
    return `${textOf([...opened, ...was]).trimEnd()}\n`;
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
