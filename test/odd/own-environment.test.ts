import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { leaveMachine, ownEnvironment, toolEnvironment } from "../rig/own-environment.ts";

/** All that git reads outside a repository, and the variables that it acts by. */
function settingsSeen(env: NodeJS.ProcessEnv): string {
  const options = { cwd: tmpdir(), encoding: "utf8", env: { ...env } } as const;
  const git = (...args: readonly string[]) => execFileSync("git", args, options);
  const named = Object.keys(env).filter((name) => /^GIT_(?!CONFIG_NOSYSTEM|ATTR_NOS)/.test(name));
  return [git("config", "--list", "--show-origin"), ...named].join("\n");
}

test.each([
  ["this process", process.env],
  ["what a test starts", ownEnvironment()],
  ["what a test starts with a home of its own", ownEnvironment({ HOME: "/nonexistent" })],
])("git has no settings of the machine or a person in %s", (_whose, env) => {
  expect(settingsSeen(env)).toBe("");
});

test("a hook's or a person's variables do not reach the tests; programs and what is named do", () => {
  const person = { PATH: "/bin", HOME: "/people/ada", LANG: "C.UTF-8", WISP_TEST_SEED: "7" };
  const hook = { GIT_DIR: ".git", GIT_INDEX_FILE: "x", GIT_AUTHOR_NAME: "Ada", EMAIL: "a@b" };
  const env = { ...person, ...hook, EDITOR: "vi", LC_ALL: "tr_TR", XDG_CONFIG_HOME: "/x" };
  leaveMachine(env);
  rmSync(env.HOME, { recursive: true });
  expect(env).toMatchObject({ PATH: "/bin", LANG: "C.UTF-8", WISP_TEST_SEED: "7" });
  expect(env.HOME).toContain("wisp-home-");
  expect(Object.keys(env)).not.toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^(?:GIT_DIR|GIT_IN.*|EMAIL|EDITOR|LC_.*|X.*)$/),
    ]),
  );
  expect(ownEnvironment({ HOME: "/h" })["HOME"]).toBe("/h");
  expect(toolEnvironment()["HOME"]).not.toContain("wisp-home-");
});
