import { DEFAULT_POLICY } from "./default-policy.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";

const engine = { name: "command", argv: ["./agent.sh"], turnTimeoutMs: 60_000 };

/** The constant facts of a session, for tests to which they do not matter. */
export const SESSION: SessionJson = {
  version: 1,
  progress: 2,
  id: "demo",
  branch: "wisp/demo",
  base: "0".repeat(40),
  createdAt: "2026-11-20T12:00:00.000Z",
  repository: "/repository",
  state: "/state/demo",
  identity: { name: "Test", email: "test@example.invalid" },
  engines: { planner: engine, builder: engine, reviewer: engine, tester: engine },
  policy: DEFAULT_POLICY,
  verify: [],
  setup: [],
  verifyTimeoutMs: 60_000,
  testPaths: ["test/**"],
  publish: { at: "done" },
};
