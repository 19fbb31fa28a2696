import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { engineOf } from "../../src/actions/attach/open-engine.ts";
import type { Confinement, Sandbox } from "../../src/base/ports/sandbox.ts";
import { fail } from "../../src/base/result.ts";
import { createHost } from "../../src/host/host.ts";
import { turnRequest } from "../engines-unit/turn-request.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

test("what the commands of MCP servers name is shown to the engine that starts them", async () => {
  const root = mkdtempSync(join(tmpdir(), "wisp-mcp-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const asked: Confinement[] = [];
  const sandbox: Sandbox = {
    kind: "bubblewrap",
    confine: (confinement) => {
      asked.push(confinement);
      return fail({ kind: "sandbox", reason: "this is enough" });
    },
  };
  const world = {
    host: createHost(),
    env: ownEnvironment({ HOME: root }),
    entry: "/programs/wisp/wisp.js",
    nodePath: process.execPath,
  };
  const mcp = [{ name: "notes", command: ["node", `${root}/tools/notes.mjs`], env: [] }];
  for (const [name, argv] of [
    ["codex", ["/programs/codex"]],
    ["acp", ["/programs/agent", "--acp"]],
  ] as const) {
    const engine = engineOf(world, { name, argv: [...argv] }, join(root, "tmp"), { sandbox, mcp });
    const request = turnRequest(root, { outputBase: join(root, name), runId: root });
    expect(await engine.turn(request)).toMatchObject({ kind: "failed", reason: "this is enough" });
    expect(asked.at(-1)?.named).toEqual(
      expect.arrayContaining([...argv, ...(mcp[0]?.command ?? [])]),
    );
  }
  expect(asked).toHaveLength(2);
  // What wisp itself plays is in the state directory, which is hidden otherwise.
  expect(asked.map(({ readable }) => readable)).toEqual([
    expect.not.arrayContaining(["/programs/wisp"]),
    expect.arrayContaining(["/programs/wisp"]),
  ]);
});
