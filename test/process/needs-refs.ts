import { join } from "node:path";
import type { ProcessSession } from "../rig/process-session.ts";

/** A project whose verify is red where references are missing that the checkout has. */
export const NEEDS_REFS = {
  "version.cjs": `
const { execFileSync } = require("node:child_process");
const git = (...words) => execFileSync("git", words, { encoding: "utf8" });
git("describe");
for (const branch of ["main", "origin/main"]) git("diff", "--name-only", branch + "...HEAD");
console.log("1..1\\nok 1 - has a version");
`,
};

export const NEEDS_REFS_CONFIG = "verify: [[node, version.cjs]]\n";

/** Gives the commit that is checked out a tag with an object of its own, and the branch an upstream at it. */
export function tagBase({ root, git }: Pick<ProcessSession, "root" | "git">): void {
  const upstream = join(root, "upstream.git");
  git("init", "-q", "--bare", upstream);
  git("remote", "add", "origin", upstream);
  git("push", "-qu", "origin", "main");
  git("tag", "-a", "-m", "one", "v1.0");
}
