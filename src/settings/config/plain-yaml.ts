import { LineCounter, parseDocument, type Document } from "yaml";
import { CONFIG_CHARS_MAX, CONFIG_DEPTH_MAX, CONFIG_PROBLEMS_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { placeAt, type ConfigSource } from "./config-place.ts";
import type { ConfigProblem } from "./config-problem.ts";

/** The content of a settings file, not yet validated. */
export interface PlainYaml {
  /** For looking up the places of problems. */
  readonly source: ConfigSource;
  readonly value: unknown;
}

/** Reads one YAML document as plain values: bounded in length and depth, no tags, few aliases. */
export function readPlainYaml(text: string): Result<PlainYaml, readonly ConfigProblem[]> {
  const excess = excessOf(text);
  if (excess !== undefined) return fail([excess]);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    version: "1.2",
    schema: "core",
    // Below this level a second document in the file would be dropped silently.
    logLevel: "error",
  });
  const source = { document, lines };
  const broken = syntaxProblems(source);
  if (broken.length > 0) return fail(broken);
  const plain = plainOf(document);
  return plain.ok ? ok({ source, value: plain.value }) : fail([plain.failure]);
}

/** Sorts problems by their place in the text, and limits how many are reported at once. */
export function inOrder(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  const sorted = problems.toSorted(
    (one, other) => one.line - other.line || one.column - other.column,
  );
  return sorted.slice(0, CONFIG_PROBLEMS_MAX);
}

/**
 * The parser recurses, and overflows the stack on deep nesting: so the depth is estimated first.
 */
function excessOf(text: string): ConfigProblem | undefined {
  if (text.length > CONFIG_CHARS_MAX) {
    const problem = `the file is longer than ${String(CONFIG_CHARS_MAX)} characters`;
    return { kind: "syntax", line: 1, column: 1, problem };
  }
  const offset = deepOffset(text);
  if (offset === undefined) return undefined;
  const line = text.slice(0, offset).split(/\r\n|\n|\r/).length;
  return { kind: "syntax", line, column: 1, problem: "lists and mappings are nested too deeply" };
}

/** Dashes, question marks and colons that each open a collection inside the previous one. */
const INDICATORS = new RegExp(`^(?:[ \\t]*[-?:](?=[ \\t])){${String(CONFIG_DEPTH_MAX)}}`, "m");

function deepOffset(text: string): number | undefined {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === "[" || bracket === "{" ? 1 : -1));
    if (depth > CONFIG_DEPTH_MAX) return index;
  }
  return INDICATORS.exec(text)?.index;
}

/** Warnings count too: they concern undefined tags. */
function syntaxProblems(source: ConfigSource): readonly ConfigProblem[] {
  const { errors, warnings } = source.document;
  return [...errors, ...warnings].slice(0, CONFIG_PROBLEMS_MAX).map(({ message, pos }) => ({
    kind: "syntax",
    ...placeAt(source, pos[0]),
    problem: cleanText(message, { charsMax: 300, lines: "one" }),
  }));
}

/** Aliases to nothing, and aliases that multiply, are only detected here. */
function plainOf(document: Document): Result<unknown, ConfigProblem> {
  try {
    const plain: unknown = document.toJS({ maxAliasCount: 100 });
    return ok(plain);
  } catch (error) {
    const message = error instanceof Error ? error.message : "the file cannot be read";
    const problem = cleanText(message, { charsMax: 300, lines: "one" });
    return fail({ kind: "syntax", line: 1, column: 1, problem });
  }
}
