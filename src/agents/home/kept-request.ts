import { createHash } from "node:crypto";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import type { EditKeeper } from "./keep-edit.ts";
import type { FileDamage, PutBack } from "./kept-log.ts";

/** What is to be done about `request.md`. */
type Verdict =
  | { readonly kind: "in-step" }
  /** It is what is meant, and the copy is not. */
  | { readonly kind: "copy"; readonly bytes: Uint8Array }
  | {
      readonly kind: "restore";
      readonly found: FileDamage;
      readonly kept: Uint8Array;
    };

/**
 * `request.md` and a copy of it. The newest `update` of `human.log` names the text that is meant by its
 * SHA-256; before the first update it is the one that was there when somebody first looked, which
 * is before any engine was started.
 */
export class KeptRequest {
  readonly #files: Files;
  readonly #path: string;
  readonly #copyPath: string;
  readonly #edits: Pick<EditKeeper, "putBack">;
  readonly #named: LogFold<typeof HumanRecord, string | undefined>;

  constructor(
    files: Files,
    { home, copyPath, edits }: { home: Home; copyPath: string; edits: Pick<EditKeeper, "putBack"> },
  ) {
    this.#files = files;
    this.#edits = edits;
    this.#path = home.request;
    this.#copyPath = copyPath;
    this.#named = new LogFold<typeof HumanRecord, string | undefined>({
      files,
      path: home.humanLog,
      schema: HumanRecord,
      empty: undefined,
      reduce: (named, record) => (record.kind === "update" ? record.sha256 : named),
    });
  }

  /** The text that is meant, whatever somebody may be doing to it; changes nothing. */
  meant(): Uint8Array | undefined {
    const verdict = this.#judge();
    if (verdict.kind === "restore") return verdict.kept;
    return verdict.kind === "copy"
      ? verdict.bytes
      : need(this.#files.read(this.#path, DOCUMENT_BYTES_MAX));
  }

  /** What there is to do; changes nothing. */
  peek(): "copy" | "restore" | undefined {
    const { kind } = this.#judge();
    return kind === "in-step" ? undefined : kind;
  }

  /** Puts the request back, or copies a new one; how it was found, if it was put back. */
  mend(): PutBack | undefined {
    const verdict = this.#judge();
    if (verdict.kind === "in-step") return undefined;
    if (verdict.kind === "copy") {
      need(this.#files.replace(this.#copyPath, verdict.bytes));
      return undefined;
    }
    const { kept, found } = verdict;
    return { found, copy: this.#edits.putBack(this.#path, kept) };
  }

  #judge(): Verdict {
    const named = need(this.#named.refresh());
    const read = this.#files.read(this.#path, DOCUMENT_BYTES_MAX);
    const present = read.ok ? read.value : undefined;
    const kept = need(this.#files.read(this.#copyPath, DOCUMENT_BYTES_MAX));
    const isMeant = (bytes: Uint8Array) => named === undefined || named === digestOf(bytes);
    if (kept !== undefined && isMeant(kept)) {
      if (present !== undefined && Buffer.compare(present, kept) === 0) return { kind: "in-step" };
      const found = read.ok && present === undefined ? "missing" : "edited";
      return { kind: "restore", found, kept };
    }
    // Nobody has the text that is meant: the one that is there stands, as far as it goes.
    const isNew = present !== undefined && isMeant(present);
    return isNew ? { kind: "copy", bytes: present } : { kind: "in-step" };
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
