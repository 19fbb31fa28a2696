import { dirname } from "node:path";
import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import type { CheckoutView } from "../../git/repository/checkout-view.ts";
import type { RepositoryView } from "../../git/repository/repository-view.ts";

/** A longer file is not read; enough for the largest number of refs that is compared. */
const BASELINE_BYTES_MAX = 64 * 1024 * 1024;

/** The state before a turn, to detect what changed during it. */
export interface TurnBaseline {
  /** The user's repository; a text if it could not be read: why; undefined if there is no repository. */
  readonly repository: RepositoryView | string | undefined;
  /** What differed in the user's work tree; a text if it could not be read: why; undefined if there is none. */
  readonly checkout: CheckoutView | string | undefined;
  /** Number of records in `human.log`. */
  readonly words: number;
}

const StoredBaseline = lateObject(() => ({
  version: z.literal(1),
  refs: z.array(z.tuple([z.string(), z.string()])),
  files: z.array(z.tuple([z.string(), z.string()])),
  /** Path, digest, and whether it is tracked. Absent in files of earlier versions. */
  checkout: z.array(z.tuple([z.string(), z.string(), z.boolean()])).optional(),
  words: z.int().nonnegative(),
}));

type BaselineFiles = Pick<Files, "read" | "replace" | "remove" | "makeDirectory">;

/**
 * The file that holds the baseline while a turn runs. If the role's process is killed during the turn, the next process
 * compares with it. An unconfined engine could change this file too, like everything else.
 */
export class BaselineFile {
  readonly #files: BaselineFiles;
  readonly #path: string;

  constructor(files: BaselineFiles, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /** The baseline of an interrupted turn; undefined if there is none or it cannot be read. */
  read(): TurnBaseline | undefined {
    const read = this.#files.read(this.#path, BASELINE_BYTES_MAX);
    if (!read.ok || read.value === undefined) return undefined;
    const stored = parsed(read.value);
    if (stored === undefined) return undefined;
    const repository = { refs: new Map(stored.refs), files: new Map(stored.files) };
    const checkout = stored.checkout?.map(
      ([path, digest, isTracked]) => [path, { digest, isTracked }] as const,
    );
    return { repository, checkout: checkout && new Map(checkout), words: stored.words };
  }

  write({ repository, checkout, words }: TurnBaseline): void {
    if (typeof repository !== "object") return;
    need(this.#files.makeDirectory(dirname(this.#path)));
    const { refs, files } = repository;
    const dirty = typeof checkout === "object" ? [...checkout] : undefined;
    const stored = {
      ...{ version: 1, refs: [...refs], files: [...files], words },
      checkout: dirty?.map(([path, { digest, isTracked }]) => [path, digest, isTracked]),
    };
    need(this.#files.replace(this.#path, Buffer.from(`${JSON.stringify(stored)}\n`)));
  }

  remove(): void {
    need(this.#files.remove(this.#path));
  }
}

function parsed(bytes: Uint8Array): z.infer<typeof StoredBaseline> | undefined {
  try {
    return StoredBaseline.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}
