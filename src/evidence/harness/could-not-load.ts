import { ofAnyLanguage } from "../languages/all-languages.ts";

/**
 * What runners, compilers and shells print when tests, or their harness, could not be loaded: something is
 * missing, cannot be parsed, or does not compile.
 */
const NOT_LOADED = ofAnyLanguage(
  ({ printed }) => printed.notLoaded,
  [
    /SyntaxError|command not found|No such file\b|ENOENT|: not found|exited with 12[67]\b/,
    /unrecognized (?:arguments?|options?)|[Uu]nknown (?:option|argument|reporter)|[Cc]onfiguration error/,
    /No rule to make target/,
  ],
);

/** A failing name that denotes a file, a package or a loader rather than a test. */
const OF_FILE = ofAnyLanguage(({ printed }) => printed.ofFile);

/**
 * Whether old tests failed only because they, or their harness, could not be loaded with the new code: the
 * output reports it, and no test failed by its name. Such a failure proves nothing about the code.
 *
 * @param failing names of new failures
 */
export function couldNotLoad(failing: readonly string[], output: string): boolean {
  return NOT_LOADED.test(output) && failing.every((name) => OF_FILE.test(name));
}

/** The failing names that denote something that could not be loaded, in a run that may have loaded the rest. */
export function notLoaded(failing: readonly string[], output: string): readonly string[] {
  return NOT_LOADED.test(output) ? failing.filter((name) => OF_FILE.test(name)) : [];
}
