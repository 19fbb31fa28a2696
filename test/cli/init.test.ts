import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfig } from "../../src/settings/config/load-config.ts";
import { WispRig, writeTree } from "./wisp-rig.ts";
import { MACHINE_PATH } from "../rig/own-environment.ts";

/*
 * What `wisp init` writes into a fresh repository of each usual kind.
 */

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
  await writeTree(join(rig.root, "bin"), { codex: "#!/bin/sh\necho 1.2.3\n" });
});
afterAll(() => rig[Symbol.asyncDispose]());

const KINDS: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
  ["npm", { "package.json": '{"name":"x","scripts":{"test":"node --test"}}' }, ["npm", "test"]],
  ["cargo", { "Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\n' }, ["cargo", "test"]],
  [
    "python",
    {
      "pyproject.toml": "[project]\nname = 'x'\n[tool.pytest.ini_options]\n",
      "tests/test_a.py": "",
    },
    ["python3", "-m", "pytest"],
  ],
  ["go", { "go.mod": "module x\n" }, ["go", "test", "./..."]],
  ["make", { Makefile: "test:\n\ttrue\n" }, ["make", "test"]],
];

test.each(KINDS)(
  "in a repository of %s, init fills in the engine and the tests, names the schema and copies no template",
  async (kind, files, verify) => {
    const cwd = await rig.repository(`init-${kind}`, files);
    const env = { PATH: `${join(rig.root, "bin")}:${MACHINE_PATH}` };
    expect(await rig.run(["init"], { cwd, env })).toMatchObject({ code: 0 });
    expect((await readdir(join(cwd, ".wisp"))).sort()).toEqual([
      "config.schema.json",
      "config.yaml",
    ]);
    const text = await readFile(join(cwd, ".wisp", "config.yaml"), "utf8");
    expect(text.split("\n")[0]).toBe("# yaml-language-server: $schema=./config.schema.json");
    const settings = loadConfig(text);
    expect(settings).toMatchObject({
      ok: true,
      value: { engine: "codex", verify: { run: [verify] } },
    });
  },
);
