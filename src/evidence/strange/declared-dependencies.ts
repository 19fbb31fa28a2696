/** A manifest at both ends of a range; undefined where it does not exist. */
export interface ManifestTexts {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Names that a manifest did not declare before. */
export interface NewDependencies {
  readonly path: string;
  /** Empty if the manifest cannot be read, so that it may declare anything. */
  readonly names: readonly string[];
}

/** Parses TOML to plain objects; throws if it is none. */
export type ParseToml = (text: string) => unknown;

type Declared = (text: string, parseToml: ParseToml) => readonly string[];

const MANIFESTS: readonly (readonly [RegExp, Declared])[] = [
  [
    /^package\.json$/iu,
    fromJson(["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]),
  ],
  [/^composer\.json$/iu, fromJson(["require", "require-dev"])],
  [/^pyproject\.toml$/iu, (text, parseToml) => fromPyproject(parseToml(text))],
  [/^Cargo\.toml$/iu, (text, parseToml) => fromCargo(parseToml(text))],
  [/^requirements[^/]*\.(?:txt|in)$/iu, (text) => pythonNames(text.split("\n"))],
  [/^go\.mod$/iu, (text) => fromGoMod(text)],
  [/^(?:Gemfile|gems\.rb)$/u, (text) => named(text, /^\s*gem[\s(]+["']([^"']+)["']/gmu)],
  [/\.gemspec$/u, (text) => named(text, /\.add_(?:\w+_)?dependency[\s(]+["']([^"']+)["']/gu)],
  [/^pom\.xml$/iu, (text) => fromPom(text)],
  [
    /^build\.gradle(?:\.kts)?$/iu,
    (text) =>
      named(
        text,
        /^\s*\w*(?:mplementation|api|ompileOnly|untimeOnly|kapt|nnotationProcessor)[\s(]+["']([^"':\s]+:[^"':\s]+)/gmu,
      ),
  ],
];

/** Whether a file declares what a project depends on. */
export function declaresDependencies(path: string): boolean {
  return readerOf(path) !== undefined;
}

/** Whether reading it needs a parser of TOML. */
export function isTomlManifest(path: string): boolean {
  return declaresDependencies(path) && /\.toml$/iu.test(path);
}

/** The names that each manifest declares at the end of a range and not at its start, sorted; versions do not count. */
export function newDependencies(
  manifests: readonly ManifestTexts[],
  parseToml: ParseToml,
): readonly NewDependencies[] {
  return manifests.flatMap(({ path, before, after }) => {
    if (after === undefined || before === after) return [];
    const now = declared(path, after, parseToml);
    if (now === undefined) return [{ path, names: [] }];
    const former = new Set(before === undefined ? [] : declared(path, before, parseToml));
    const names = [...new Set(now)].filter((name) => !former.has(name)).sort();
    return names.length === 0 ? [] : [{ path, names }];
  });
}

function readerOf(path: string): Declared | undefined {
  const [name = ""] = /[^/]*$/u.exec(path) ?? [];
  return MANIFESTS.find(([pattern]) => pattern.test(name))?.[1];
}

/** The declared names; undefined if the text is not of the form that its name says. */
function declared(path: string, text: string, parseToml: ParseToml): readonly string[] | undefined {
  try {
    return readerOf(path)?.(text.replace(/^\ufeff/u, ""), parseToml) ?? [];
  } catch {
    return undefined;
  }
}

function fromJson(sections: readonly string[]): Declared {
  return (text) => {
    const manifest: unknown = JSON.parse(text);
    return sections.flatMap((section) => keysOf(at(manifest, section)));
  };
}

function fromCargo(manifest: unknown): readonly string[] {
  const places = [manifest, at(manifest, "workspace"), ...valuesOf(at(manifest, "target"))];
  const sections = ["dependencies", "dev-dependencies", "build-dependencies"];
  return places.flatMap((place) => sections.flatMap((section) => keysOf(at(place, section))));
}

function fromPyproject(manifest: unknown): readonly string[] {
  const [project, poetry] = [at(manifest, "project"), at(manifest, "tool", "poetry")];
  const lists = [
    at(project, "dependencies"),
    ...valuesOf(at(project, "optional-dependencies")),
    ...valuesOf(at(manifest, "dependency-groups")),
    at(manifest, "build-system", "requires"),
  ];
  const tables = [
    at(poetry, "dependencies"),
    at(poetry, "dev-dependencies"),
    ...valuesOf(at(poetry, "group")).map((group) => at(group, "dependencies")),
  ];
  const texts = lists.flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []));
  return pythonNames([
    ...texts.filter((text) => typeof text === "string"),
    ...tables.flatMap(keysOf).filter((name) => name !== "python"),
  ]);
}

/** The names of requirements as PyPI compares them; options and comments have none. */
function pythonNames(requirements: readonly string[]): readonly string[] {
  return requirements.flatMap((text) => {
    const [, name] = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)/u.exec(text) ?? [];
    return name === undefined ? [] : [name.toLowerCase().replaceAll(/[-_.]+/gu, "-")];
  });
}

/** Modules that the code itself imports; those of others are marked as indirect. */
function fromGoMod(text: string): readonly string[] {
  const direct = text.split("\n").filter((line) => !/\/\/\s*indirect/u.test(line));
  return named(direct.join("\n"), /^(?:\s*|require\s+)([^\s()]+\/[^\s()]+)\s+v\d/gmu);
}

function fromPom(text: string): readonly string[] {
  return text
    .split("<dependency>")
    .slice(1)
    .flatMap((rest) => {
      const block = rest.slice(0, Math.max(0, rest.indexOf("</dependency>")));
      const [, group = ""] = /<groupId>([^<]*)</u.exec(block) ?? [];
      const [, artifact] = /<artifactId>([^<]*)</u.exec(block) ?? [];
      return artifact === undefined ? [] : [`${group.trim()}:${artifact.trim()}`];
    });
}

function named(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (one, name) => Object.entries(tableOf(one)).find(([key]) => key === name)?.[1],
    value,
  );
}

function keysOf(value: unknown): readonly string[] {
  return Object.keys(tableOf(value));
}

function valuesOf(value: unknown): readonly unknown[] {
  return Object.values(tableOf(value));
}

function tableOf(value: unknown): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
