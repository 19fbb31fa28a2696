import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WispRig } from "./wisp-rig.ts";

test("the demo really runs its checks: a recording with other edits makes it fail", async () => {
  await using own = await WispRig.create();
  const cassette = own.packaged("demo", "cassette.yaml");
  const text = await readFile(cassette, "utf8");
  const altered = text.replace('parts.length === 0 ? "0s"', 'parts.length === 0 ? "0h"');
  expect(altered).not.toBe(text);
  await writeFile(cassette, altered);
  const directory = join(own.root, "demo");
  const { code, stdout } = await own.run(["demo", "--dir", directory], { cwd: own.root });
  expect(stdout).toContain("durations-of-several-parts is stuck:");
  expect(stdout).toContain("0 fixed, 1 open: BUG-");
  expect(code).toBe(5);
});
