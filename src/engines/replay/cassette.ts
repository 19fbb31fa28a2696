import {
  isMap,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type Pair,
} from "yaml";
import { z } from "zod";
import { fail, ok, type Result } from "../../base/result.ts";
import { CassetteFile, type CassetteStep, type CassetteTurn } from "./cassette-schema.ts";

/** Why a cassette cannot be played: the problem, with its line and key. */
export interface CassetteFailure {
  readonly kind: "cassette";
  /** Counted from 1. */
  readonly line: number;
  /** For example `turns[2].do[0].patch.find`; empty if the text is not YAML. */
  readonly key: string;
  readonly problem: string;
}

/** A turn of a cassette, with its line. */
export interface Turn {
  readonly on: CassetteTurn["on"];
  readonly steps: readonly Step[];
  readonly line: number;
}

export interface Step {
  readonly act: CassetteStep;
  readonly line: number;
}

export interface Cassette {
  readonly turns: readonly Turn[];
  /** Turns by purpose, for when no turn matches. */
  readonly defaults: ReadonlyMap<string, Turn>;
}

/** Reads a cassette; `cassette-schema.ts` describes the format. */
export function decodeCassette(text: string): Result<Cassette, CassetteFailure> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken !== undefined) {
    const { line } = lines.linePos(broken.pos[0]);
    return fail({ kind: "cassette", line, key: "", problem: broken.message });
  }
  const parsed = CassetteFile.safeParse(valueOf(document));
  const lineOf = (path: Path): number => lines.linePos(offsetOf(document, path)).line;
  if (!parsed.success) return fail(firstProblem(parsed.error, lineOf));
  const stepsAt = (steps: readonly CassetteStep[], path: Path): readonly Step[] =>
    steps.map((act, i) => ({ act, line: lineOf([...path, i]) }));
  const turns = parsed.data.turns.map(({ on, do: steps }, i) => ({
    on,
    steps: stepsAt(steps, ["turns", i, "do"]),
    line: lineOf(["turns", i]),
  }));
  const defaults = Object.entries(parsed.data.defaults ?? {}).map(([purpose, steps]) => {
    const path = ["defaults", purpose];
    return [purpose, { on: {}, steps: stepsAt(steps, path), line: lineOf(path) }] as const;
  });
  return ok({ turns, defaults: new Map(defaults) });
}

type Path = readonly PropertyKey[];

/** The plain value; `undefined` if its aliases never end. */
function valueOf(document: Document): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

function firstProblem(error: z.ZodError, lineOf: (path: Path) => number): CassetteFailure {
  const [issue] = error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...unknown];
  const problem = issue?.message ?? "it is no cassette";
  return { kind: "cassette", line: lineOf(path), key: z.core.toDotPath(path), problem };
}

/** The offset in the text of the value at `path`, or of the innermost existing value around it. */
function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const part of path) {
    const entry = entryOf(node, part);
    if (entry === undefined) break;
    offset = entry.start?.range?.[0] ?? offset;
    node = entry.value;
  }
  return offset;
}

interface Entry {
  /** Where it starts; for an entry of a map, its key. */
  readonly start: Node | undefined;
  readonly value: unknown;
}

function entryOf(node: unknown, part: PropertyKey): Entry | undefined {
  if (isSeq<Node>(node) && typeof part === "number") {
    const item = node.items[part];
    return item && { start: item, value: item };
  }
  if (!isMap<Node>(node)) return undefined;
  const pair = node.items.find(({ key }: Pair<Node>) => key.toString() === part);
  return pair && { start: pair.key, value: pair.value };
}
