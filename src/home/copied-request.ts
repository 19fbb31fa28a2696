import { need } from "../base/fatal.ts";
import type { Files } from "../base/ports/files.ts";
import { DOCUMENT_BYTES_MAX } from "../base/limits.ts";
import { sha256 } from "../base/sha256.ts";
import { HumanRecord } from "../fs-protocol/records/human-log.ts";
import { LogFold } from "../fs-protocol/codec/log-fold.ts";
import type { CopiedPlace } from "./copied-log.ts";
import type { ExpectedContent } from "./protected-file.ts";
import type { FileDamage, Restoration } from "./restored-record.ts";

/** How `request.md` was found, and its intended text; `grown`: the file holds that text, and the copy does not. */
interface Verdict {
  readonly found: FileDamage;
  readonly intended: Uint8Array;
}

/**
 * `request.md` and its copy. The newest `update` of `human.log` names the intended text by its SHA-256. Before the
 * first update, it is the text that wisp found when it first read the file, before any engine was started.
 */
export class CopiedRequest implements ExpectedContent {
  readonly path: string;
  readonly #files: Files;
  readonly #place: CopiedPlace;
  readonly #namedSha: LogFold<typeof HumanRecord, string | undefined>;

  constructor(files: Files, place: CopiedPlace, { humanLog }: { readonly humanLog: string }) {
    this.path = place.path;
    this.#files = files;
    this.#place = place;
    this.#namedSha = new LogFold<typeof HumanRecord, string | undefined>({
      files,
      path: humanLog,
      schema: HumanRecord,
      empty: undefined,
      reduce: (named, record) => (record.kind === "update" ? record.sha256 : named),
    });
  }

  /** The intended text, even if the file was changed; changes nothing. */
  intended(): Uint8Array | undefined {
    return this.#judge()?.intended ?? need(this.#files.read(this.path, DOCUMENT_BYTES_MAX));
  }

  /** The damage of the file or, as `grown`, a text that is not copied yet; undefined if neither; changes nothing. */
  peek(): FileDamage | undefined {
    return this.#judge()?.found;
  }

  /** Restores the request, or copies a new one. Returns how the file was damaged if it was restored. */
  open(): Restoration | undefined {
    const { path, copyPath, edits } = this.#place;
    const verdict = this.#judge();
    if (verdict === undefined) return undefined;
    const { found, intended } = verdict;
    if (found !== "grown") return { found, copy: edits.restore(path, intended) };
    need(this.#files.replace(copyPath, intended));
    return undefined;
  }

  #judge(): Verdict | undefined {
    const named = need(this.#namedSha.refresh());
    const read = this.#files.read(this.path, DOCUMENT_BYTES_MAX);
    const present = read.ok ? read.value : undefined;
    const copy = need(this.#files.read(this.#place.copyPath, DOCUMENT_BYTES_MAX));
    const isIntended = (bytes: Uint8Array) => named === undefined || named === sha256(bytes);
    if (copy !== undefined && isIntended(copy)) {
      if (present !== undefined && Buffer.compare(present, copy) === 0) return undefined;
      return { found: read.ok && present === undefined ? "missing" : "edited", intended: copy };
    }
    // The copy is not the intended text, so only the file itself can be. If neither is, the file stays as it is.
    const isNew = present !== undefined && isIntended(present);
    return isNew ? { found: "grown", intended: present } : undefined;
  }
}
