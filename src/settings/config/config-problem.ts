import { unreachable } from "../../base/assert.ts";
import type { Detail } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";

/** The place of a problem in the settings; both numbers from 1. */
export interface ConfigPlace {
  readonly line: number;
  readonly column: number;
}

/** One thing that is wrong with the settings. All texts in it are cleaned. */
export type ConfigProblem =
  /** Not YAML, or YAML beyond the plain subset that settings use. */
  | ({ readonly kind: "syntax"; readonly problem: string } & ConfigPlace)
  | ({
      readonly kind: "unknown-key";
      /** Path of the key, such as `roles.builder.timout`. */
      readonly key: string;
      readonly suggestion: string | undefined;
      /** The keys that exist at its place. */
      readonly known: readonly string[];
    } & ConfigPlace)
  | ({
      readonly kind: "value";
      readonly key: string;
      /** Completes "expected …". */
      readonly expected: string;
      /** Completes "found …". */
      readonly found: string;
      readonly suggestion: string | undefined;
    } & ConfigPlace);

/** Why settings were refused. */
export interface ConfigFailure {
  readonly kind: "config";
  /** All problems, in the order of the file; never empty. */
  readonly problems: readonly ConfigProblem[];
}

/** A problem as a line for people, its place first, so that it can follow `<path>:`. */
export function configProblemSentence(problem: ConfigProblem): string {
  return `${String(problem.line)}:${String(problem.column)}: ${whatIsWrong(problem)}`;
}

/** The same as a line of a failure, after the path of its file. */
export function configProblemAt(path: string, problem: ConfigProblem): Detail {
  return { detail: `${shown(path)}:${shown(configProblemSentence(problem))}` };
}

function whatIsWrong(problem: ConfigProblem): string {
  switch (problem.kind) {
    case "syntax":
      return problem.problem;
    case "unknown-key":
      return `unknown key ${problem.key}${hint(problem.suggestion, problem.known)}`;
    case "value": {
      const { key, expected, found, suggestion } = problem;
      const what = key === "" ? "the settings" : key;
      return `${what}: expected ${expected}; found ${found}${hint(suggestion, [])}`;
    }
    default:
      return unreachable(problem);
  }
}

function hint(suggestion: string | undefined, known: readonly string[]): string {
  if (suggestion !== undefined) return `. Did you mean ${suggestion}?`;
  return known.length > 0 ? `. Known here: ${known.join(", ")}` : "";
}
