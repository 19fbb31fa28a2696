import type { Files } from "../ports/files.ts";

/** The value of a JSON text; `undefined` for everything else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON file of so many bytes at most; `undefined` where there is none that can be read. */
export function jsonIn(files: Pick<Files, "read">, path: string, sizeBytesMax?: number): unknown {
  const read = files.read(path, sizeBytesMax);
  return read.ok && read.value && jsonOf(new TextDecoder().decode(read.value));
}
