import { dirname } from "node:path";
import { z } from "zod";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import type { RepositoryView } from "../../git/repository/repository-view.ts";

/** Of a repository with as many references as are compared at all. */
const KEPT_BYTES_MAX = 64 * 1024 * 1024;

/** What was there before a turn. */
export interface TurnBaseline {
  /** A text where the repository could not be looked at, and why; undefined where there is none. */
  readonly repository: RepositoryView | string | undefined;
  /** Records of `human.log`. */
  readonly words: number;
}

const Kept = z.object({
  version: z.literal(1),
  refs: z.array(z.tuple([z.string(), z.string()])),
  files: z.array(z.tuple([z.string(), z.string()])),
  words: z.int().nonnegative(),
});

type KeptFiles = Pick<Files, "read" | "replace" | "remove" | "makeDirectory">;

/**
 * The look before a turn on disk, for as long as the turn runs: whoever is killed in it compares after the restart.
 * An engine that nothing confines can change the file as it can change everything else.
 */
export class BaselineFile {
  readonly #files: KeptFiles;
  readonly #path: string;

  constructor(files: KeptFiles, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /** The look before a turn that was interrupted; undefined: there was none, or it cannot be read. */
  read(): TurnBaseline | undefined {
    const read = this.#files.read(this.#path, KEPT_BYTES_MAX);
    if (!read.ok || read.value === undefined) return undefined;
    const kept = parsed(read.value);
    if (kept === undefined) return undefined;
    const repository = { refs: new Map(kept.refs), files: new Map(kept.files) };
    return { repository, words: kept.words };
  }

  write({ repository, words }: TurnBaseline): void {
    if (typeof repository !== "object") return;
    need(this.#files.makeDirectory(dirname(this.#path)));
    const { refs, files } = repository;
    const kept = { version: 1, refs: [...refs], files: [...files], words };
    need(this.#files.replace(this.#path, Buffer.from(`${JSON.stringify(kept)}\n`)));
  }

  remove(): void {
    need(this.#files.remove(this.#path));
  }
}

function parsed(bytes: Uint8Array): z.infer<typeof Kept> | undefined {
  try {
    return Kept.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}
