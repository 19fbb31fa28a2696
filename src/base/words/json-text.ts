import type { Files } from "../ports/files.ts";

/** The value of a JSON text; `undefined` for anything else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON file of at most `sizeBytesMax` bytes; `undefined` if it is absent or cannot be read. */
export function jsonIn(files: Pick<Files, "read">, path: string, sizeBytesMax?: number): unknown {
  const read = files.read(path, sizeBytesMax);
  return read.ok && read.value && jsonOf(new TextDecoder().decode(read.value));
}
