import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessSession } from "../rig/process-session.ts";

/** Reads what the commits only name, as tests do. */
const CHECK = `
const { readFileSync } = require("node:fs");
const read = (name) => readFileSync(name, "utf8");
for (const name of read("names.txt").trim().split("\\n")) {
  const [path, word] = name.split("=");
  if (!read(path).startsWith(word)) throw new Error(path + " is " + read(path).slice(0, 50));
}
`;

/** A project whose verify needs content under Git LFS, and two submodules, one in the other. */
export const NEEDS_BESIDES = {
  ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
  "check.cjs": CHECK,
  "names.txt": "old.bin=old samples\nlibs/one/a.txt=of one\nlibs/one/two/b.txt=of two\n",
};

export const NEEDS_BESIDES_CONFIG = "verify: [[node, check.cjs]]\n";

/** Adds and commits both, in the form in which a person has them. */
export function addBesides(session: ProcessSession): void {
  session.git("lfs", "install", "--skip-repo");
  session.write("old.bin", "old samples ".repeat(20_000));
  const [one, two] = [join(session.root, "one"), join(session.root, "two")];
  begin(session, two, ["b.txt", "of two\n"]);
  begin(session, one, ["a.txt", "of one\n"]);
  addModule(session, one, [two, "two"]);
  commitIn(session, one);
  addModule(session, session.repository, [one, "libs/one"]);
  session.git(...LOCAL, "submodule", "-q", "update", "--init", "--recursive");
  session.git("add", "--all");
  session.git("commit", "-qm", "Need files that commits only name");
}

const LOCAL = ["-c", "protocol.file.allow=always"] as const;

function begin(
  session: ProcessSession,
  directory: string,
  [name, text]: readonly [string, string],
) {
  mkdirSync(directory);
  session.git("-C", directory, "init", "-q", "-b", "main");
  writeFileSync(join(directory, name), text);
  commitIn(session, directory);
}

function commitIn(session: ProcessSession, directory: string): void {
  session.git("-C", directory, "add", "--all");
  const author = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
  session.git("-C", directory, ...author, "commit", "-qm", "Add files");
}

function addModule(session: ProcessSession, into: string, [from, path]: readonly [string, string]) {
  session.git("-C", into, ...LOCAL, "submodule", "-q", "add", from, path);
}
