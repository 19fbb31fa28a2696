import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A copy of a whole folder, which can be restored any number of times. */
export function savedCopy(root: string): Disposable & { readonly restore: () => void } {
  const copy = mkdtempSync(join(tmpdir(), "wisp-copy-"));
  const copyOver = (from: string, to: string) => {
    for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true, force: true });
    execFileSync("cp", ["-a", `${from}/.`, to]);
  };
  copyOver(root, copy);
  return {
    restore: () => {
      copyOver(copy, root);
    },
    [Symbol.dispose]: () => {
      rmSync(copy, { recursive: true, force: true });
    },
  };
}
