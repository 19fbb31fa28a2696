/** Programs that run what a file in the root defines. */
const DEFINED_IN: Readonly<Partial<Record<string, readonly string[]>>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile"],
  npm: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
};

/** The commands of a session's setup: argument vectors. */
export type SetupCommands = readonly (readonly string[])[];

/** Whether setup, or a file of the repository that it runs, contains a word. */
export function setupContains(
  setup: SetupCommands,
  word: RegExp,
  textOf: (path: string) => string | undefined,
): boolean {
  const words = setup.flat();
  const files = words.flatMap((each) => DEFINED_IN[each] ?? [each.replace(/^\.\//, "")]);
  return [...words, ...files.map((path) => textOf(path) ?? "")].some((text) => word.test(text));
}

/** The word in a setup that fills submodules itself. */
export const FILLS_SUBMODULES = /\bsubmodule\b/;
