import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../../rig/patience.ts";
import { putFiles, TreeRig, SANDBOXES, type Tree } from "./tree-rig.ts";

const NODE = process.execPath;

/** Green if the dependency says so; `setup` copies it from `vendor`, as an installation would. */
const PROJECT: Tree = {
  ".gitignore": "node_modules/\ndist/\n*.ignored\n",
  "package.json": JSON.stringify({ name: "project", private: true }),
  "vendor/dep/index.js": "module.exports = false;\n",
  "check.js": `process.exit(require("dep") ? 0 : 1);\n`,
};
const SETUP = [
  [
    NODE,
    "-e",
    `require("fs").cpSync("vendor/dep", "node_modules/dep", { recursive: true });
     require("fs").appendFileSync("node_modules/setups", "x")`,
  ],
];
const VERIFY = [[NODE, "check.js"]];

describe.each(SANDBOXES)("with $sandbox", ({ bwrap, isThere }) => {
  const rigOf = (fields: ConstructorParameters<typeof TreeRig>[1] = {}) =>
    new TreeRig(bwrap, { setup: SETUP, verify: VERIFY, ...fields });

  test.skipIf(!isThere)(
    "uncommitted files in the engine's clone make no commit green",
    async () => {
      using rig = rigOf();
      const at = await rig.commit({
        ...PROJECT,
        "check.js":
          `process.exit(require("dep") || require("fs").existsSync("a.ignored") ||` +
          ` require("fs").existsSync("excluded") ? 0 : 1);\n`,
      });
      putFiles(rig.builderDirectory, {
        "node_modules/dep/index.js": "module.exports = true;\n",
        "a.ignored": "",
        excluded: "",
        ".git/info/exclude": "/excluded\n",
      });
      expect(await rig.verify(at)).toMatchObject({ outcome: "failed" });
    },
  );

  test.skipIf(!isThere)(
    "the output begins with the hash of the verified tree, which is the commit's",
    async () => {
      using rig = rigOf();
      const at = await rig.commit(PROJECT);
      const { printed } = await rig.verify(at);
      const [, hash, sha] = /^tree (\w+) commit (\w+) setup \w+\n/u.exec(printed) ?? [];
      expect([hash, sha]).toEqual([rig.treeOf(at), at]);
      expect(rig.builder.recordsOf("verify.result")).toMatchObject([{ at, setup: /./ }]);
    },
  );

  test.skipIf(!isThere).each([
    ["plants an ignored file", `fs.writeFileSync("a.ignored", "")`],
    ["plants an untracked file", `fs.writeFileSync("planted", "")`],
    ["plants a file in a folder that is ignored", `write("dist/main.js", "")`],
    ["patches an installed package", `write("node_modules/dep/index.js", "module.exports = true")`],
    ["installs another package", `write("node_modules/more/index.js", "")`],
    ["caches a result for a tool", `write("node_modules/.cache/turbo/green", "")`],
    ["keeps a result at home", `write(process.env.HOME + "/.cache/green", "")`],
    ["keeps a result among temporary files", `write(require("os").tmpdir() + "/green", "")`],
    ["writes settings for npm at home", `write(process.env.HOME + "/.npmrc", "script-shell=true")`],
    ["changes a tracked file", `write("check.js", "process.exit(0)")`],
    [
      "makes git ignore a changed file",
      `write("check.js", "process.exit(0)"); git("update-index", "--assume-unchanged", "check.js")`,
    ],
    [
      "makes git write files differently",
      `write(".git/info/attributes", "*.js working-tree-encoding=UTF-16")`,
    ],
    ["configures git", `git("config", "core.worktree", "/nonexistent")`],
    [
      "replaces the installed packages",
      `fs.renameSync("node_modules", "moved"); write("node_modules/dep/index.js", "module.exports = true")`,
    ],
  ])("a run that %s makes no later commit green", async (_what, plant) => {
    using rig = rigOf();
    const look = `const fs = require("fs"); const path = require("path");
      const write = (name, text) => { fs.mkdirSync(path.dirname(name), { recursive: true }); fs.writeFileSync(name, text); };
      const git = (...args) => require("child_process").execFileSync("git", args);
      const has = (name) => fs.existsSync(name);
      const green = [require("dep"), has("a.ignored"), has("planted"), has("dist/main.js"),
        has("node_modules/more"), has("node_modules/.cache/turbo/green"), has("moved"),
        has(process.env.HOME + "/.cache/green"), has(process.env.HOME + "/.npmrc"),
        has(require("os").tmpdir() + "/green")].some(Boolean);`;
    const first = await rig.commit({
      ...PROJECT,
      "check.js": `${look} try { ${plant} } catch (error) { console.log(error.message); }`,
    });
    await rig.verify(first);
    const second = await rig.commit({ "check.js": `${look} process.exit(green ? 0 : 1);` });
    const { outcome, printed } = await rig.verify(second);
    expect(outcome).toBe("failed");
    expect(printed).toContain(`tree ${rig.treeOf(second)} `);
    expect(printed).not.toContain("Error");
  });

  test.skipIf(!isThere)(
    "each commit is built, and no output of another commit is left",
    async () => {
      using rig = rigOf({
        build: [
          [
            NODE,
            "-e",
            `require("fs").mkdirSync("dist"); require("fs").copyFileSync("src.js", "dist/" + require("./src.js") + ".js")`,
          ],
        ],
        verify: [[NODE, "-e", `console.log(require("fs").readdirSync("dist").join(" "))`]],
      });
      const first = await rig.commit({ ...PROJECT, "src.js": `module.exports = "one";\n` });
      expect((await rig.verify(first)).printed).toMatch(/\none\.js\n$/);
      const second = await rig.commit({ "src.js": `module.exports = "two";\n` });
      expect((await rig.verify(second)).printed).toMatch(/\ntwo\.js\n$/);
    },
  );

  test.skipIf(!isThere)("a failed build is recorded as a red verify of its commit", async () => {
    using rig = rigOf({ build: [[NODE, "build.js"]] });
    const at = await rig.commit({
      ...PROJECT,
      "build.js": `console.log("no way"); process.exit(3)`,
    });
    const { outcome, printed } = await rig.verify(at);
    expect([outcome, printed]).toEqual(["failed", expect.stringContaining("no way")]);
    expect(rig.builder.recordsOf("verify.result")).toHaveLength(1);
  });

  test.skipIf(!isThere)("setup runs once for commits with the same setup inputs", async () => {
    using rig = rigOf();
    const first = await rig.commit(PROJECT);
    await rig.verify(first);
    await rig.verify(await rig.commit({ "src.js": "" }));
    await rig.verify(first);
    expect(readFileSync(join(rig.tree, "node_modules", "setups"), "utf8")).toBe("x");
  });

  test.skipIf(!isThere).each([
    ["packages/a/package.json", "{}"],
    ["packages/a/deep/requirements-dev.txt", "x\n"],
    ["tools/patches/dep.js", "x\n"],
    ["packages/a/.npmrc", "x=y\n"],
    ["db/schema.sql", "x\n"],
  ])("setup runs again when %s changes", async (path, text) => {
    using rig = rigOf({
      setupInputs: ["db/*.sql"],
      setup: [
        [
          NODE,
          "-e",
          `require("fs").writeFileSync("made", require("fs").existsSync(${JSON.stringify(path)}) ? "new" : "old")`,
        ],
      ],
      verify: [[NODE, "-e", `console.log(require("fs").readFileSync("made", "utf8"))`]],
    });
    expect((await rig.verify(await rig.commit(PROJECT))).printed).toMatch(/\nold\n$/);
    expect((await rig.verify(await rig.commit({ [path]: text }))).printed).toMatch(/\nnew\n$/);
  });

  test.skipIf(!isThere)("an interrupted setup runs again in a clean tree", async () => {
    using rig = rigOf({
      setup: [
        [
          NODE,
          "-e",
          `const fs = require("fs"); if (fs.existsSync("half")) process.exit(9);
        fs.writeFileSync("half", ""); if (process.env.NEVER || fs.existsSync("../../../hang")) setInterval(() => {}, 1000)`,
        ],
      ],
      verify: [[NODE, "-e", ""]],
    });
    const at = await rig.commit(PROJECT);
    const hang = join(rig.rig.session.state, "hang");
    mkdirSync(rig.rig.session.state, { recursive: true });
    writeFileSync(hang, "");
    const stop = new AbortController();
    const running = rig.verify(at, rig.role("builder", stop));
    await eventually(() => expect(existsSync(join(rig.tree, "half"))).toBe(true));
    stop.abort();
    expect((await running).outcome).toBe("stopped");
    rmSync(hang);
    expect(await rig.verify(at)).toMatchObject({ outcome: "passed" });
  });
});
