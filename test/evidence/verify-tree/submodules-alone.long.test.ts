import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TreeRig, SANDBOXES } from "./tree-rig.ts";

const NODE = process.execPath;
/** Green in a tree that has the submodule's file and what setup made next to it; then it spoils both for the next run. */
const CHECK = `const { existsSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const isAlone = readFileSync("vendor/lib/lib.txt", "utf8") === "lib\\n" && !existsSync("vendor/lib/planted");
const isSetUp = existsSync("vendor/lib/made.txt");
rmSync("vendor/lib/lib.txt");
writeFileSync("vendor/lib/lib.txt", "forged\\n");
writeFileSync("vendor/lib/planted", "");
process.exit(isAlone && isSetUp ? 0 : 1);
`;
const SETUP = [[NODE, "-e", `require("node:fs").appendFileSync("vendor/lib/made.txt", "x")`]];

describe.each(SANDBOXES)("with $sandbox", ({ bwrap, isThere }) => {
  test.skipIf(!isThere)(
    "each run finds a submodule's files as its commit has them, and what setup made among them, which ran once",
    async () => {
      using rig = new TreeRig(bwrap, { setup: SETUP, verify: [[NODE, "check.js"]] });
      const { repository, git } = rig.rig.at;
      const library = join(repository, "..", "library");
      mkdirSync(library);
      git("init", "-q", "-b", "main", library);
      writeFileSync(join(library, "lib.txt"), "lib\n");
      git("-C", library, "add", "-A");
      const author = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
      git("-C", library, ...author, "commit", "-qm", "Lib");
      git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "vendor/lib");
      git("commit", "-qm", "Add lib");
      git("branch", "-f", "wisp/demo");
      for (const name of ["a", "b", "c"]) {
        const at = await rig.commit({ "check.js": CHECK, [`${name}.txt`]: name });
        expect(await rig.verify(at)).toMatchObject({ outcome: "passed" });
      }
      expect(readFileSync(join(rig.tree, "vendor/lib/made.txt"), "utf8")).toBe("x");
    },
  );
});
