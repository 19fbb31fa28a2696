import { sha256 } from "./sha256.ts";

/** What stands in the program's first file where the digest of the program does, once it is built. */
export const NO_DIGEST = "__WISP_CODE__";

/** A file of the program, by its path in the package. */
export interface ProgramFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Whether a file decides what the program does: other files of the package do not count for its digest. */
export function isProgramFile(path: string): boolean {
  return /^(?:dist\/(?:.*\.js|package\.json)|templates\/.*)$/u.test(path);
}

/**
 * The digest of a program, in 32 hexadecimal digits. It stands in the first file, which is taken without it.
 *
 * @param files all of them, in any order
 */
export function programDigest(files: readonly ProgramFile[], code = NO_DIGEST): string {
  const lines = files.map(({ path, bytes }) => {
    const isFirst = path === "dist/wisp.js";
    const text = isFirst ? Buffer.from(bytes).toString("utf8").replace(code, NO_DIGEST) : bytes;
    return `${sha256(text)} ${path}`;
  });
  return sha256(lines.sort().join("\n")).slice(0, 32);
}
