import { posix } from "node:path";

/**
 * Settings of test runners, of what compiles for them and of what starts them, which can be as they stood
 * before without the rest of the project: put back whole, and taken away where there was none.
 */
const WHOLE = new RegExp(
  `^(?:${[
    // Package managers and task runners.
    /\.npmrc|\.yarnrc(?:\.ya?ml)?|\.pnpmfile\.[cm]?js|pnpm-workspace\.ya?ml|bunfig\.toml/,
    /turbo\.jsonc?|nx\.json|project\.json|lerna\.json|(?:gnu)?makefile|[\w.-]+\.mk|\.?justfile|taskfile\.ya?ml/,
    // JavaScript.
    /(?:vitest|vite|jest|karma|playwright|ava|cypress|mocha|wdio|web-test-runner|babel)(?:[.-][\w.-]*)?\.(?:[cm]?[jt]s|json)/,
    /\.(?:mocharc|nycrc|c8rc|taprc|babelrc|swcrc|jestrc)(?:\.\w+)?|[tj]sconfig(?:[.-][\w.-]+)?\.json/,
    // Python, where a module of such a name is loaded unasked.
    /\.?pytest\.(?:ini|toml)|tox\.(?:ini|toml)|noxfile\.py|conftest\.py|\.coveragerc|(?:site|user)customize\.py/,
    // Rust, Go, Ruby.
    /nextest\.toml|go\.work|\.rspec|\.simplecov|(?:spec|test|rails)_helper\.rb/,
  ]
    .map(({ source }) => source)
    .join("|")})$`,
  "i",
);

/** Whether a path is, by its name, one of settings that steer how tests run, and of nothing else. */
export function isRunnerSettings(path: string): boolean {
  return WHOLE.test(posix.basename(path)) || /(?:^|\/)\.cargo\/config(?:\.toml)?$/.test(path);
}

const PACKAGE_FIELDS = ["ava", "c8", "jest", "mocha", "nyc", "tap", "vitest", "wireit", "nx"];

/** Whether a file holds such settings beside other things: a manifest. */
export function isManifest(path: string): boolean {
  return /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|cargo\.toml)$/i.test(path);
}

/**
 * The text of a manifest after a range, with those of its settings that steer tests as they were before it;
 * what else the range did to it stays. Undefined: they are as they were, or the text cannot be read.
 *
 * @param before its text before the range; undefined: there was no such file
 */
export function withRunnerSettings(
  path: string,
  before: string | undefined,
  after: string,
): string | undefined {
  const name = posix.basename(path).toLowerCase();
  const restored =
    name === "package.json" ? inPackage(before, after) : inSections(name, before ?? "", after);
  return restored === after ? undefined : restored;
}

function inPackage(before: string | undefined, after: string): string {
  const [was, now] = [objectIn(before ?? "{}"), objectIn(after)];
  if (was === undefined || now === undefined) return after;
  const isSame = (key: string) => JSON.stringify(was[key]) === JSON.stringify(now[key]);
  if (PACKAGE_FIELDS.every(isSame)) return after;
  const rest = Object.entries(now).filter(([key]) => !PACKAGE_FIELDS.includes(key));
  const kept = PACKAGE_FIELDS.flatMap((key) => (was[key] === undefined ? [] : [[key, was[key]]]));
  return `${JSON.stringify(Object.fromEntries([...rest, ...kept]), undefined, 2)}\n`;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined;
  } catch {
    return undefined;
  }
}

/** Headers of the sections that steer tests, by the name of the file. */
const SECTIONS: Readonly<Record<string, RegExp>> = {
  "pyproject.toml":
    /^\[{1,2}tool\.(?:pytest|coverage|tox|nox|nose2|hatch\.envs|pdm\.scripts|poe|taskipy|unittest)\b/,
  "setup.cfg": /^\[(?:tool:pytest|pytest|tox|testenv|coverage|aliases|nosetests)\b/,
  "cargo.toml": /^\[\[test\]\]/,
};

/** Lines by which a package of Rust leaves its tests out, wherever they stand. */
const CARGO_LEAVES_OUT = /^\s*(?:autotests|test|doctest|harness)\s*=\s*false\b/;

interface Section {
  readonly header: string;
  readonly lines: readonly string[];
}

function inSections(name: string, before: string, after: string): string {
  const wanted = SECTIONS[name];
  if (wanted === undefined) return after;
  const was = sectionsIn(before).filter(({ header }) => wanted.test(header));
  const now = sectionsIn(after);
  const rest = now.filter(({ header }) => !wanted.test(header));
  const steering = now.filter(({ header }) => wanted.test(header));
  const opened = name === "cargo.toml" ? rest.map((each) => opensTests(each, before)) : rest;
  const isSame = textOf(was).trim() === textOf(steering).trim();
  if (isSame && textOf(opened) === textOf(rest)) return after;
  return `${textOf([...opened, ...was]).trimEnd()}\n`;
}

function opensTests(section: Section, before: string): Section {
  const known = before.split("\n");
  const lines = section.lines.filter(
    (line) => !CARGO_LEAVES_OUT.test(line) || known.includes(line),
  );
  return { ...section, lines };
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
