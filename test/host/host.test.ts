import { expect, test } from "vitest";
import { createHost } from "../../src/host/host.ts";

test("each port is created once", () => {
  const host = createHost();
  expect(host.files).toBe(host.files);
  expect(host.locks).toBe(host.locks);
  expect(host.processes).toBe(host.processes);
  expect(host.watcher).toBe(host.watcher);
});
