/** The project's root folder at the session's base, as detection sees it. */
export interface RootFiles {
  /** Names of files and folders directly in the root. */
  readonly names: ReadonlySet<string>;
  /** Text of a file in the root; undefined if it is absent, too large, or not text. */
  read(name: string): string | undefined;
}
