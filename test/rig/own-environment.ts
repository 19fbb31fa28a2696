import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/** git finds nothing of the machine's, and of a person's what is below HOME. */
const GIT_ALONE = { GIT_CONFIG_NOSYSTEM: "1", GIT_ATTR_NOSYSTEM: "1" };

/** Whose home it is in which the tests were started. */
const PERSON = "WISP_TEST_PERSON_HOME";

/** Variables of a person who starts the tests, or of a job or a hook of git that does: git and shells act by them. */
const OF_A_PERSON = /^(?:GIT_.*|XDG_.*|LC_.*|LANGUAGE|EDITOR|VISUAL|PAGER|EMAIL|SSH_ASKPASS)$/u;

/** The programs of this machine. */
export const MACHINE_PATH = process.env["PATH"] ?? "";

/**
 * The environment of what a test starts, or of a role in the test's own process: the programs of this machine, and
 * none of its settings of git. Without HOME there are none of a person either.
 */
export function ownEnvironment(
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return { PATH: MACHINE_PATH, ...GIT_ALONE, ...more };
}

/** For test runners and compilers of other languages, some of which a person has installed at home. */
export function toolEnvironment(
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return ownEnvironment({ HOME: process.env[PERSON] ?? homedir(), ...more });
}

/**
 * Gives this process and all that it starts an empty home, and takes the settings of git away: `vitest.config.ts` does it
 * before any test is loaded, so that what inherits its environment has none of the machine's and the person's.
 */
export function leaveMachine(env: NodeJS.ProcessEnv): void {
  // vitest reads its configuration once for each project.
  if (env[PERSON] !== undefined) return;
  const home = mkdtempSync(join(tmpdir(), "wisp-home-"));
  process.once("exit", () => {
    rmSync(home, { recursive: true, force: true });
  });
  for (const name of Object.keys(env)) {
    if (OF_A_PERSON.test(name)) Reflect.deleteProperty(env, name);
  }
  Object.assign(env, { [PERSON]: homedir(), ...GIT_ALONE, HOME: home });
}
