/** What `--json` prints where a command could not be done; fields are added, never renamed or removed. */
export interface ErrorView {
  readonly schema: "wisp.error/1";
  readonly error: {
    /** The kind of the failure. */
    readonly code: string;
    readonly message: string;
    readonly hint: string | undefined;
    /** Lines that say more: mistakes of a file by their place. */
    readonly details: readonly string[];
    /** Commands that lead on. */
    readonly next: readonly string[];
  };
}

/** A failure, for programs. */
export function errorView(error: ErrorView["error"]): ErrorView {
  return { schema: "wisp.error/1", error };
}
