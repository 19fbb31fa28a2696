import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Scratch extends Disposable {
  readonly path: string;
  /** The absolute path of a name in it. */
  at(name: string): string;
}

/** An empty directory that is removed with its content at the end. */
export function scratch(): Scratch {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "wisp-")));
  return {
    path,
    at: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
