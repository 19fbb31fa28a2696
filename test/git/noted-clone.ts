import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { present } from "../../src/base/assert.ts";
import { createClone } from "../../src/git/clone/create-clone.ts";
import { openHub } from "../../src/git/repository/hub.ts";
import { BRANCH, IDENTITY, read, value, write, type Rig } from "./rig.ts";

/** A clone whose git commands are recorded before they run. */
export async function noted(rig: Rig) {
  const calls = join(rig.root, "calls");
  const bin = join(rig.root, "bin");
  const path = present(rig.context.environment["PATH"], "a path");
  // Programs that git itself starts are found elsewhere, and are not recorded.
  const script = `#!/bin/sh\nfor word; do case $word in *=*|-*) ;; *) break ;; esac; done\necho "$word" >>'${calls}'\nPATH='${path}' exec git "$@"\n`;
  write(join(bin, "git"), script);
  chmodSync(join(bin, "git"), 0o755);
  const context = {
    ...rig.context,
    environment: { ...rig.context.environment, PATH: `${bin}:${path}` },
  };
  const hub = openHub(context, rig.hub.directory);
  const place = { hub, branch: BRANCH, directory: join(rig.root, "state", "b"), session: "first" };
  const clone = value(await createClone(context, { ...place, identity: IDENTITY }));
  /** The commands since the last call. */
  const ran = () => {
    const names = read(calls).trim().split("\n");
    writeFileSync(calls, "");
    return names;
  };
  const head = async () => present(await hub.head(BRANCH), "a branch");
  return { clone, hub, context, ran, head };
}

/** Has a script of sh run before each command of git that contains these words; the command fails if the script does. */
export function atGit(rig: Rig, words: string, script: string): void {
  const git = join(rig.root, "bin", "git");
  const [shebang = "", ...rest] = read(git).split("\n");
  const real = `PATH='${rig.context.environment["PATH"] ?? ""}' GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1`;
  const meanwhile = `case "$*" in *${words}*) (export ${real}; ${script}) || exit 1;; esac`;
  write(git, [shebang, meanwhile, ...rest].join("\n"));
}

/** Commits one new file, as an engine does. */
export function commitAsEngine(rig: Rig, directory: string, name: string): void {
  write(join(directory, name), `${name}\n`);
  rig.git(["add", "--all"], directory);
  rig.git(["commit", "--quiet", "-m", name], directory);
}
