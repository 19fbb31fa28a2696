import { ofAnyLanguage } from "../languages/all-languages.ts";

/**
 * What runners, compilers and shells print when tests, or what they are run by, could not even be loaded:
 * something is missing, is not understood, or does not compile.
 */
const NOT_LOADED = ofAnyLanguage(
  ({ printed }) => printed.notLoaded,
  [
    /SyntaxError|command not found|No such file or directory|ENOENT|: not found|exited with 12[67]\b/,
    /unrecognized (?:arguments?|options?)|[Uu]nknown (?:option|argument|reporter)|[Cc]onfiguration error/,
    /No rule to make target/,
  ],
);

/** A name that is one of a file, of a package or of a loader, and of no test. */
const OF_FILE = ofAnyLanguage(({ printed }) => printed.ofFile);

/**
 * Whether old tests failed because they, or what runs them, could not be loaded beside the new code: the
 * output says so, and no test failed by its name. That is no sign of what the code does.
 *
 * @param failing names that failed for the first time
 */
export function couldNotLoad(failing: readonly string[], output: string): boolean {
  return NOT_LOADED.test(output) && failing.every((name) => OF_FILE.test(name));
}

/** Those of the names that are of what could not be loaded, in a run that may have loaded the rest. */
export function notLoaded(failing: readonly string[], output: string): readonly string[] {
  return NOT_LOADED.test(output) ? failing.filter((name) => OF_FILE.test(name)) : [];
}
