import { dirname, join } from "node:path";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { contentPath, contentStore, hasContent } from "./content-store.ts";
import { ARRIVED_CONTENTS_MAX } from "./lfs-limits.ts";
import type { LfsPointer } from "./pointer.ts";
import { countedFrom, countedIn, countIn } from "./session-sum.ts";

type Context = Pick<GitContext, "environment" | "files" | "directories">;

/** Where content of a session that runs elsewhere arrives. */
export interface ArrivalOf {
  /** The user's repository. */
  readonly repository: string;
  /** The folder of the session's state. */
  readonly state: string;
}

interface Opened {
  /** The user's store. */
  readonly store: string;
  /** The sizes of what the session has brought in, by digest. */
  readonly counted: Map<string, number>;
}

/** What arrives during one connection: only one follower has the lease of a mirror. */
export class ArrivingContent {
  readonly #context: Context;
  readonly #of: ArrivalOf;
  #opened: Opened | undefined;

  constructor(context: Context, of: ArrivalOf) {
    this.#context = context;
    this.#of = of;
  }

  /**
   * The digests of what has arrived earlier and is in the user's store: it need not be sent again. Starts no process if
   * nothing has.
   */
  async known(): Promise<Result<readonly string[], GitFailure>> {
    const counted = countedFrom(this.#context.files, `${this.#record}.lfs`);
    if (!counted.ok) return fail(fileAsGitFailure("lfs", counted.failure));
    if (counted.value.size === 0) return ok([]);
    const opened = await this.#open();
    if (!opened.ok) return opened;
    const there = [...counted.value]
      .map(([sha256, sizeBytes]) => ({ sha256, sizeBytes }))
      .filter((content) => hasContent(this.#context, opened.value.store, content));
    return ok(there.slice(-ARRIVED_CONTENTS_MAX).map(({ sha256 }) => sha256));
  }

  /**
   * Puts content that the place of a session sent into the user's store. It is hashed, and appears whole or not at all.
   * What is not what it should be, or is more than a session may bring, is left out: `wisp done` names the files whose
   * content is missing.
   *
   * @param path a file of wisp's own with the content
   */
  async keep(content: LfsPointer, path: string): Promise<Result<void, GitFailure>> {
    const opened = await this.#open();
    if (!opened.ok) return opened;
    const { store, counted } = opened.value;
    const at = { context: this.#context, directory: this.#record };
    const isWithin = countIn(at, [content], counted);
    if (!isWithin.ok) return fail(fileAsGitFailure("lfs", isWithin.failure));
    if (!isWithin.value || hasContent(this.#context, store, content)) return ok(undefined);
    const to = contentPath(store, content);
    const copied = await this.#context.directories.copyExactly(path, to, content);
    return copied.ok ? ok(undefined) : fail(fileAsGitFailure("lfs", copied.failure));
  }

  /** The record of what arrived, in the form of those that roles keep beside their clones. */
  get #record(): string {
    return join(this.#of.state, "mirror", "contents");
  }

  async #open(): Promise<Result<Opened, GitFailure>> {
    if (this.#opened !== undefined) return ok(this.#opened);
    const { files } = this.#context;
    const store = await contentStore(this.#context, this.#of.repository);
    if (!store.ok) return store;
    const made = files.makeDirectory(dirname(this.#record));
    if (!made.ok) return fail(fileAsGitFailure("lfs", made.failure));
    const counted = countedIn({ context: this.#context, directory: this.#record });
    if (!counted.ok) return fail(fileAsGitFailure("lfs", counted.failure));
    this.#opened = { store: store.value, counted: counted.value };
    return ok(this.#opened);
  }
}
