import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { workingBubblewrap } from "../rig/sandboxed.ts";
import { WispRig, writeTree } from "../cli/wisp-rig.ts";

const Checks = z.object({
  isFit: z.boolean(),
  checks: z.array(z.object({ name: z.string(), status: z.string(), what: z.string() })),
});

const bubblewrap = await workingBubblewrap();
const WHY = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** The checks of secrets, in a repository with this for `sandbox`. */
async function probed(sandbox: string) {
  await writeTree(rig.root, { ".wisp/config.yaml": `engine: replay\nsandbox: ${sandbox}\n` });
  const { code, stdout } = await rig.run(["doctor", "--probe-secrets", "--json"], {
    cwd: rig.root,
  });
  const { checks } = Checks.parse(JSON.parse(stdout));
  return { code, checks: checks.filter(({ name }) => name.startsWith("secrets")) };
}

describe.skipIf(WHY !== "")(`with bubblewrap${WHY}`, () => {
  test("no planted secret can be read, including those in paths that the settings deny", async () => {
    const { checks } = await probed("{ kind: bubblewrap, deny: [~/.acme, secrets/key] }");
    expect(checks.map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
  });

  test("names secrets that the settings expose, and fails", async () => {
    const { code, checks } = await probed("{ kind: bubblewrap, allow: [~/.ssh, .env] }");
    expect(code).toBe(1);
    expect(checks[0]?.status).toBe("fail");
    expect(checks[0]?.what).toMatch(/an engine can read 3 of them: ~\/\.ssh \(path, link/);
  });
});

test("without a sandbox, names every exposed secret and fails; removes what it planted", async () => {
  const { code, checks } = await probed("none");
  expect(code).toBe(1);
  const [made] = checks;
  expect(made).toMatchObject({ status: "fail" });
  for (const place of ["~/.ssh", "~/.aws", "~/.netrc", "~/project/.env"]) {
    expect(made?.what).toContain(place);
  }
  const kernel = checks.find(({ name }) => name === "secrets.kernel");
  // Its owner is root, so only root can open any.
  const isRoot = process.geteuid?.() === 0;
  expect(kernel?.status).toBe(isRoot ? "fail" : "ok");
  if (isRoot)
    expect(kernel?.what).toMatch(
      /can open \d+ settings of the kernel for writing, such as \/proc\//,
    );
  const left = readdirSync(tmpdir()).filter((name) => name.startsWith("wisp-probe-"));
  expect(left.map((name) => join(tmpdir(), name))).toEqual([]);
});
