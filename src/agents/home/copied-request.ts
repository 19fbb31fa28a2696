import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { sha256 } from "../../base/sha256.ts";
import { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import type { CopiedPlace } from "./copied-log.ts";
import type { ExpectedContent } from "./protected-file.ts";
import type { FileDamage, Restoration } from "./restored-record.ts";

/** How `request.md` was found, and what it has to hold; `grown`: it does, and the copy does not. */
interface Verdict {
  readonly found: FileDamage;
  readonly meant: Uint8Array;
}

/**
 * `request.md` and a copy of it. The newest `update` of `human.log` names the text that is meant by its
 * SHA-256; before the first update it is the one that was there when somebody first looked, which
 * is before any engine was started.
 */
export class CopiedRequest implements ExpectedContent {
  readonly path: string;
  readonly #files: Files;
  readonly #place: CopiedPlace;
  readonly #named: LogFold<typeof HumanRecord, string | undefined>;

  constructor(files: Files, place: CopiedPlace, { humanLog }: { readonly humanLog: string }) {
    this.path = place.path;
    this.#files = files;
    this.#place = place;
    this.#named = new LogFold<typeof HumanRecord, string | undefined>({
      files,
      path: humanLog,
      schema: HumanRecord,
      empty: undefined,
      reduce: (named, record) => (record.kind === "update" ? record.sha256 : named),
    });
  }

  /** The text that is meant, whatever somebody may be doing to it; changes nothing. */
  meant(): Uint8Array | undefined {
    return this.#judge()?.meant ?? need(this.#files.read(this.path, DOCUMENT_BYTES_MAX));
  }

  /** How it is found, where there is something to put back or to copy; changes nothing. */
  peek(): FileDamage | undefined {
    return this.#judge()?.found;
  }

  /** Puts the request back, or copies a new one; how it was found, if it was put back. */
  open(): Restoration | undefined {
    const { path, copyPath, edits } = this.#place;
    const verdict = this.#judge();
    if (verdict === undefined) return undefined;
    const { found, meant } = verdict;
    if (found !== "grown") return { found, copy: edits.restore(path, meant) };
    need(this.#files.replace(copyPath, meant));
    return undefined;
  }

  #judge(): Verdict | undefined {
    const named = need(this.#named.refresh());
    const read = this.#files.read(this.path, DOCUMENT_BYTES_MAX);
    const present = read.ok ? read.value : undefined;
    const kept = need(this.#files.read(this.#place.copyPath, DOCUMENT_BYTES_MAX));
    const isMeant = (bytes: Uint8Array) => named === undefined || named === sha256(bytes);
    if (kept !== undefined && isMeant(kept)) {
      if (present !== undefined && Buffer.compare(present, kept) === 0) return undefined;
      return { found: read.ok && present === undefined ? "missing" : "edited", meant: kept };
    }
    // Nobody has the text that is meant: the one that is there stands, as far as it goes.
    const isNew = present !== undefined && isMeant(present);
    return isNew ? { found: "grown", meant: present } : undefined;
  }
}
