/** Files in the root whose texts detection reads; of others it knows the name. */
export const DETECTED_FROM: readonly string[] = [
  "package.json",
  "yarn.lock",
  "GNUmakefile",
  "makefile",
  "Makefile",
  "pyproject.toml",
  "setup.cfg",
  "tox.ini",
  "setup.py",
  "Pipfile",
  "requirements.txt",
  "requirements-dev.txt",
];

/** The project's root folder at the session's base, as detection sees it. */
export interface RootFiles {
  /** Names of files and folders directly in the root. */
  readonly names: ReadonlySet<string>;
  /** Text of a file in the root; undefined if it is absent, too large, or not text. */
  read(name: string): string | undefined;
}
