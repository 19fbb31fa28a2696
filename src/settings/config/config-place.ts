import { isAlias, isMap, isScalar, isSeq, type Document, type LineCounter, type Pair } from "yaml";
import type { ConfigPlace } from "./config-problem.ts";

/** A path into settings; each step is a key of a mapping or an index of a list. */
export type ConfigPath = readonly (string | number)[];

/** A parsed file, used to find the places of problems in its text. */
export interface ConfigSource {
  readonly document: Document;
  readonly lines: LineCounter;
}

/** Where the value at `path` begins; if it is missing, where the nearest surrounding value does. */
export function placeOfValue(source: ConfigSource, path: ConfigPath): ConfigPlace {
  let node: unknown = source.document.contents;
  let offset = offsetOf(node) ?? 0;
  for (const step of path) {
    const target = resolved(source, node);
    const pair = isMap(target) ? target.items.find((each) => isKey(each, step)) : undefined;
    node = isSeq(target) ? target.items[Number(step)] : pair?.value;
    // For a key without a value, the place is the key's.
    offset = offsetOf(node) ?? offsetOf(pair?.key) ?? offset;
  }
  return placeAt(source, offset);
}

/** Where the key at the end of `path` begins. */
export function placeOfKey(source: ConfigSource, path: ConfigPath): ConfigPlace {
  let node: unknown = source.document.contents;
  for (const step of path.slice(0, -1)) {
    const target = resolved(source, node);
    if (isMap(target)) node = target.items.find((each) => isKey(each, step))?.value;
    else if (isSeq(target)) node = target.items[Number(step)];
  }
  const map = resolved(source, node);
  const key = isMap(map)
    ? map.items.find((each) => isKey(each, path.at(-1) ?? ""))?.key
    : undefined;
  return placeAt(source, offsetOf(key) ?? 0);
}

/** Line and column of an offset in the text. */
export function placeAt({ lines }: ConfigSource, offset: number): ConfigPlace {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function resolved({ document }: ConfigSource, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function isKey(pair: Pair, step: string | number): boolean {
  return isScalar(pair.key) && String(pair.key.value) === String(step);
}

/** Where a node begins; undefined for an omitted value. */
function offsetOf(node: unknown): number | undefined {
  if (!isScalar(node) && !isMap(node) && !isSeq(node) && !isAlias(node)) return undefined;
  const isWritten = !isScalar(node) || node.type !== "PLAIN" || node.source !== "";
  return isWritten ? node.range?.[0] : undefined;
}
