import { expect, test } from "vitest";
import { runTurn } from "../../src/work/turn/run-turn.ts";
import type { Purpose } from "../../src/engines/engine.ts";
import { SESSION } from "../rig/session.ts";
import { memoryRole } from "./memory-role.ts";
import { said } from "./turns.ts";

test("NFR-001: a fix has the same time limit as the builder's other turns", async () => {
  const engines = {
    ...SESSION.engines,
    builder: { ...SESSION.engines.builder, turnTimeoutMs: 1_234_000 },
  };
  const { context, asked } = memoryRole("builder", () => said(""), { session: { engines } });
  for (const purpose of ["build", "fix"] satisfies Purpose[]) {
    const unit = `${purpose}:x:1`;
    const folder = { directory: "/state/demo/builder/turn", files: [] };
    const asking = { attempt: 1, ask: 1, prompt: "", folder, cwd: "/clone", milestone: "x" };
    const turn = { purpose, unit, ...asking };
    await runTurn(context, turn);
  }
  expect(asked.map(({ purpose, timeoutMs }) => [purpose, timeoutMs])).toEqual([
    ["build", 1_234_000],
    ["fix", 1_234_000],
  ]);
});
