import type { Oid } from "../../base/oid.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";

/** Reads files at commits, and remembers the first failure of git. */
export class CommitReader {
  failure: GitFailure | undefined;
  readonly #clone: Pick<Clone, "show">;
  constructor(clone: Pick<Clone, "show">) {
    this.#clone = clone;
  }

  async read(at: Oid, path: string): Promise<string | undefined> {
    const shown = await this.#clone.show(at, path);
    if (shown.ok) return shown.value;
    this.failure ??= shown.failure;
    return undefined;
  }
}
