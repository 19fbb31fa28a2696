import {
  fileOfIdentity,
  identityText,
  titlesOfIdentity,
  type TestIdentity,
} from "../printed/test-identity.ts";

/** What a run of chosen tests shows of them. */
export interface NarrowedTests {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Those of which the output says neither: perhaps they did not run. */
  readonly unsaid: readonly string[];
}

/** What the output of the run lists by name. */
export interface ListedTests {
  readonly passed: readonly TestIdentity[];
  /** Identities. */
  readonly failed: readonly string[];
}

/**
 * Judges a run of chosen tests by their names alone. An exit code of 0 proves nothing, since most runners give it if no test
 * matches; and a threshold of coverage, which only the whole reaches, is no failure of a test. Pure.
 *
 * @param tests identities, as in records
 */
export function judgeNarrowed(tests: readonly string[], listed: ListedTests): NarrowedTests {
  const passed = listed.passed.map(identityText);
  const failed = tests.filter((test) => listed.failed.some((text) => isSameTest(test, text)));
  const others = tests.filter((test) => !failed.includes(test));
  const isPassed = (test: string) => passed.some((text) => isSameTest(test, text));
  return {
    passed: others.filter(isPassed),
    failed,
    unsaid: others.filter((test) => !isPassed(test)),
  };
}

/** Whether two identities are of one test: some lists name no files. */
function isSameTest(one: string, other: string): boolean {
  if (one === other) return true;
  const hasFiles = fileOfIdentity(one) !== undefined && fileOfIdentity(other) !== undefined;
  return !hasFiles && titlesOfIdentity(one) === titlesOfIdentity(other);
}
