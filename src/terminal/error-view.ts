/** The output of `--json` for a failed command; fields are added, never renamed or removed. */
export interface ErrorView {
  readonly schema: "wisp.error/1";
  readonly error: {
    /** The kind of the failure. */
    readonly code: string;
    readonly message: string;
    readonly hint: string | undefined;
    /** Details, one per line, such as errors in a file by their place. */
    readonly details: readonly string[];
    /** The next commands. */
    readonly next: readonly string[];
  };
}

/** A failure, for programs. */
export function errorView(error: ErrorView["error"]): ErrorView {
  return { schema: "wisp.error/1", error };
}
