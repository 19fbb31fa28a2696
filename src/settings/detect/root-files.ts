/** The root folder of the project at the session's base, as detection sees it. */
export interface RootFiles {
  /** Names of files and folders in the root, nothing below. */
  readonly names: ReadonlySet<string>;
  /** Text of a file in the root; undefined when it is absent, too large, or no text. */
  read(name: string): string | undefined;
}
