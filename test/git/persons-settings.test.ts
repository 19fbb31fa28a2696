import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countUncommitted } from "../../src/git/repository/repository.ts";
import { changedFiles, rangeCommits } from "../../src/git/repository/diffs.ts";
import { explainedCommit, lineChangedIn } from "../../src/git/repository/explained-commit.ts";
import { createBranch, deleteUntouchedBranch } from "../../src/git/repository/branches.ts";
import { touchedPaths } from "../../src/git/repository/touched-paths.ts";
import type { GitContext } from "../../src/git/command/git-environment.ts";
import { createRig, value, write, type Rig } from "./rig.ts";

/** What people set for their own eyes, and what old projects need; each changes what some command of git prints. */
const SETTINGS = (checker: string) => `
[log]
	showSignature = true
	decorate = full
	date = relative
	follow = true
[gpg]
	program = ${checker}
[i18n]
	logOutputEncoding = ISO-8859-1
	commitEncoding = ISO-8859-1
[status]
	showUntrackedFiles = no
	short = true
	branch = true
[diff]
	noprefix = true
	mnemonicPrefix = true
	renames = copies
	external = false
	context = 9
	submodule = log
[blame]
	showEmail = true
	date = relative
[color]
	ui = always
[column]
	ui = always
[core]
	quotePath = true
	abbrev = 20
	pager = false
[format]
	pretty = fuller
`;

/** A commit that says it is signed. */
function signed(rig: Rig): string {
  const text = rig
    .git(["cat-file", "commit", "HEAD"])
    .replace(
      /\n\n[^]*$/u,
      "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\nSigné\n",
    );
  const options = { cwd: rig.hub.directory, input: text, encoding: "utf8" } as const;
  return execFileSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], options).trim();
}

test("what wisp reads in the person's repository does not depend on how the person likes to see it", async () => {
  using rig = createRig();
  const { directory } = rig.hub;
  const base = rig.git(["rev-parse", "HEAD"]).trim();
  write(join(directory, "ü.txt"), "one\ntwo\n");
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "Zweïtens"]);
  const head = signed(rig);
  rig.git(["update-ref", "refs/heads/main", head]);
  write(join(directory, "new.txt"), "new\n");
  const checker = join(rig.root, "checks-signatures");
  write(checker, "#!/bin/sh\necho 'gpg: Signature made by nobody' >&2; exit 1\n");
  execFileSync("chmod", ["+x", checker]);
  const readings = async (context: GitContext) => {
    const range = { directory, base, head };
    const place = { directory, branch: "wisp/untouched" };
    const origin = { base: head, note: "made by a test" };
    value(await createBranch(context, place, origin));
    return {
      commits: value(await rangeCommits(context, range)),
      files: value(await changedFiles(context, range)),
      touched: value(await touchedPaths(context, range)),
      explained: await explainedCommit(context, directory, head),
      line: value(await lineChangedIn(context, directory, { at: head, file: "ü.txt", line: 2 })),
      uncommitted: value(await countUncommitted(context, directory)),
      isDeleted: value(await deleteUntouchedBranch(context, place, origin)),
    };
  };
  const plain = await readings(rig.context);
  expect(plain).toMatchObject({
    commits: [{ subject: "Signé" }],
    uncommitted: { untracked: 1 },
    isDeleted: true,
  });
  const GIT_CONFIG_GLOBAL = join(rig.root, "settings");
  write(GIT_CONFIG_GLOBAL, `[user]\n\tname = Ada\n\temail = ada@example.org\n${SETTINGS(checker)}`);
  const environment = { ...rig.context.environment, GIT_CONFIG_GLOBAL };
  // The settings are in force: a person sees something else.
  const seen = (env: GitContext["environment"]) =>
    execFileSync("git", ["log", "-1", "--format=%s", head], { cwd: directory, env }).toString();
  expect(seen(environment)).not.toBe(seen(rig.context.environment));
  expect(await readings({ ...rig.context, environment })).toEqual(plain);
});
