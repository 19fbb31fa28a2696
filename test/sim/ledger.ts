import type { Disk } from "./disk.ts";

/** The lines of each append that succeeded, by file, in order: these must survive. */
export class Ledger {
  readonly #byPath = new Map<string, string[]>();

  /** An append succeeded. */
  keep(path: string, bytes: Uint8Array): void {
    const lines = Buffer.from(bytes).toString("utf8").split("\n").slice(0, -1);
    const kept = this.#byPath.get(path);
    if (kept === undefined) this.#byPath.set(path, lines);
    else kept.push(...lines);
  }

  linesOf(path: string): readonly string[] {
    return this.#byPath.get(path) ?? [];
  }

  /** The first of these lines that is missing, out of order, or not a line of its own. */
  missingFrom(disk: Disk): string | undefined {
    for (const [path, lines] of this.#byPath) {
      const present = (disk.textOf(path) ?? "").split("\n").slice(0, -1);
      let at = 0;
      for (const line of lines) {
        at = present.indexOf(line, at) + 1;
        if (at === 0) return `${path}: ${line}`;
      }
    }
    return undefined;
  }
}
