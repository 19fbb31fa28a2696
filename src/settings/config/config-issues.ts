import type { z } from "zod";
import { cleanText } from "../../base/words/clean-text.ts";
import { placeOfKey, placeOfValue, type ConfigPath, type ConfigSource } from "./config-place.ts";
import type { ConfigProblem } from "./config-problem.ts";
import { didYouMean } from "./did-you-mean.ts";
import type { PlainYaml } from "./plain-yaml.ts";

type Issue = z.core.$ZodIssue;
type ChildSchema = z.core.JSONSchema._JSONSchema;
type SchemaNode = z.core.JSONSchema.BaseSchema;

interface Context {
  readonly source: ConfigSource;
  readonly settings: unknown;
  /** The published schema, from which the known keys are read. */
  readonly schema: SchemaNode;
}

/** An issue with its full path. */
interface Placed {
  readonly path: ConfigPath;
  readonly issue: Issue;
}

/**
 * Converts zod's issues to problems with places in the settings' text.
 *
 * @param schema of the settings as they may be written; the known keys are read from it
 */
export function problemsOfIssues(
  issues: readonly Issue[],
  { source, value: settings }: PlainYaml,
  schema: SchemaNode,
): readonly ConfigProblem[] {
  const context = { source, settings, schema };
  const placed = issues.flatMap((issue) => reduced(issue, []));
  const problems = placed.flatMap((each) => problemsOf(each, context));
  return problems.filter((problem) => !isExplained(problem, problems));
}

/**
 * Replaces a union's issue with the issues of the alternative that was probably meant: the one
 * whose type matches and that has the fewest issues. If none matches, or several equally, the
 * union's own message describes what was expected.
 */
function reduced(issue: Issue, prefix: ConfigPath): readonly Placed[] {
  const path = [...prefix, ...issue.path.map(toStep)];
  if (issue.code !== "invalid_union") return [{ path, issue }];
  const fitting = issue.errors
    .filter((branch) => !branch.some(isAboutTheWhole))
    .sort((one, other) => one.length - other.length);
  const [nearest, next] = fitting;
  if (nearest === undefined || nearest.length === next?.length) return [{ path, issue }];
  return nearest.flatMap((inner) => reduced(inner, path));
}

function toStep(step: PropertyKey): string | number {
  return typeof step === "symbol" ? String(step) : step;
}

function isAboutTheWhole({ code, path }: Issue): boolean {
  return path.length === 0 && (code === "invalid_type" || code === "invalid_value");
}

function problemsOf({ path, issue }: Placed, context: Context): readonly ConfigProblem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKey([...path, key], key, context));
  }
  if (issue.code === "invalid_key") return [unfitKey(path, issue, context)];
  const value = valueAt(context.settings, path);
  const suggestion =
    issue.code === "invalid_value" && typeof value === "string"
      ? didYouMean(value, issue.values.map(String))
      : undefined;
  return [
    {
      kind: "value",
      ...placeOfValue(context.source, path),
      key: keyText(path),
      expected: issue.message,
      found: described(value),
      suggestion,
    },
  ];
}

/** A key that does not have the form of a name: what its mapping expects says nothing about that. */
function unfitKey(
  path: ConfigPath,
  { issues: [inner], message }: z.core.$ZodIssueInvalidKey,
  { source }: Context,
): ConfigProblem {
  return {
    kind: "value",
    ...placeOfKey(source, path),
    key: keyText(path.slice(0, -1)),
    expected: inner?.message ?? message,
    found: described(path.at(-1)),
    suggestion: undefined,
  };
}

function unknownKey(path: ConfigPath, key: string, context: Context): ConfigProblem {
  const known = keysAt(path.slice(0, -1), context.schema);
  return {
    kind: "unknown-key",
    ...placeOfKey(context.source, path),
    key: keyText(path),
    suggestion: didYouMean(key, known),
    known,
  };
}

/** A key that is missing only because it was misspelled is not reported separately. */
function isExplained(problem: ConfigProblem, all: readonly ConfigProblem[]): boolean {
  if (problem.kind !== "value" || problem.found !== NOTHING) return false;
  return all.some(
    (other) =>
      other.kind === "unknown-key" &&
      other.suggestion !== undefined &&
      problem.key === other.key.replace(/[^.]*$/, other.suggestion),
  );
}

const NOTHING = "nothing";

function described(value: unknown): string {
  if (value === undefined || value === null) return NOTHING;
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "string") return JSON.stringify(cleanText(value, ONE_LINE));
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "a mapping";
}

const ONE_LINE = { charsMax: 60, lines: "one" } as const;

/** `verify[1]`, `roles.builder.timeout`. */
function keyText(path: ConfigPath): string {
  const steps = path.map((step) =>
    typeof step === "number" ? `[${String(step)}]` : `.${cleanText(step, ONE_LINE)}`,
  );
  return steps.join("").replace(/^\./, "");
}

function valueAt(settings: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== "object" || value === null) return undefined;
    return Object.getOwnPropertyDescriptor(value, step)?.value;
  }, settings);
}

/** The keys that are allowed at a place. */
function keysAt(path: ConfigPath, schema: SchemaNode): readonly string[] {
  let schemas: readonly SchemaNode[] = [schema];
  for (const step of path) schemas = schemas.flatMap((each) => under(each, step));
  return [...new Set(schemas.flatMap(alternatives).flatMap(keysOf))].sort();
}

/** With the schema itself: it may have keys of its own beside what its alternatives require. */
function alternatives(schema: SchemaNode): readonly SchemaNode[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(alternatives)];
}

function under(schema: SchemaNode, step: string | number): readonly SchemaNode[] {
  return alternatives(schema).flatMap(({ properties, items }) => {
    const children = typeof step === "number" ? [items].flat() : [ownChild(properties, step)];
    return children.filter(isNode);
  });
}

function ownChild(properties: SchemaNode["properties"], key: string): ChildSchema | undefined {
  return Object.entries(properties ?? {}).find(([name]) => name === key)?.[1];
}

function isNode(child: ChildSchema | undefined): child is SchemaNode {
  return typeof child === "object";
}

function keysOf({ properties }: SchemaNode): readonly string[] {
  // A key that accepts no value exists only for its error message.
  const isOpen = (child: unknown) =>
    typeof child === "object" && child !== null && !("not" in child);
  return Object.entries(properties ?? {}).flatMap(([key, child]) => (isOpen(child) ? [key] : []));
}
