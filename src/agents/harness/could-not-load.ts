/**
 * What runners, compilers and shells print when tests, or what they are run by, could not even be loaded:
 * something is missing, is not understood, or does not compile.
 */
const NOT_LOADED =
  /Cannot find (?:module|package)|(?:ERR_)?MODULE_NOT_FOUND|Failed to (?:load|resolve)|does not provide an export|is not defined in ES module scope|SyntaxError|ERR_(?:REQUIRE_ESM|UNKNOWN_FILE_EXTENSION|UNSUPPORTED_DIR_IMPORT|PACKAGE_PATH_NOT_EXPORTED)|Test suite failed to run|Could not (?:find|resolve)|ModuleNotFoundError|ImportError|No module named|error TS\d+|\[(?:build|setup) failed\]|could not compile|error\[E\d+\]|undefined reference|command not found|No such file or directory|ENOENT|: not found|[Mm]issing script|unrecognized (?:arguments?|options?)|[Uu]nknown (?:option|argument|reporter)|No rule to make target|[Cc]onfiguration error|ConftestImportFailure|fixture '[^']+' not found|exited with 12[67]\b/;

/** A name that is one of a file, of a package or of a loader, and of no test. */
const OF_FILE =
  /^\S*\.(?:[cm]?[jt]sx?|py|rb)(?: \[.*\])?$|^Test suite failed to run$|_FailedTest|unittest\.loader|^[\w.-]+(?:\/[\w.-]+)+$/;

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
