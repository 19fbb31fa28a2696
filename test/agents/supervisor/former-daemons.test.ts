import { expect, test } from "vitest";
import { FormerDaemons } from "../../../src/agents/supervisor/former-daemons.ts";
import { daemonMark } from "../../../src/agents/supervisor/daemon-mark.ts";
import type { ProcessIdentity } from "../../../src/base/ports/processes.ts";
import { ROLES } from "../../../src/base/role.ts";
import { homeAt } from "../../../src/fs-protocol/home/home.ts";
import { createNodeProcesses } from "../../../src/host/processes/node-processes.ts";

const HOME = homeAt("/home");

/** Counts searches; the builder's process is found from the second one on. */
function counted() {
  let searches = 0;
  const builder: ProcessIdentity = { pid: 7, startTime: "1" };
  const processes = {
    ...createNodeProcesses(),
    findDaemons: async () => {
      const found = ++searches > 1 ? [builder] : [];
      return new Map([[daemonMark(HOME, "builder"), found]]);
    },
  };
  return { former: new FormerDaemons({ processes }, HOME), searches: () => searches };
}

test("roles that look for processes of an earlier supervisor at its start share one search, at the same time or one by one", async () => {
  const together = counted();
  await Promise.all(ROLES.map((role) => together.former.of(role)));
  expect(together.searches()).toBe(1);
  const after = counted();
  for (const role of ROLES) expect(await after.former.of(role)).toEqual([]);
  expect(after.searches()).toBe(1);
});

test("a role that asks again, and all roles after another supervisor may have run, are answered from a new search", async () => {
  const { former, searches } = counted();
  expect(await former.of("builder")).toEqual([]);
  expect(await former.of("builder")).toMatchObject([{ pid: 7 }]);
  expect(searches()).toBe(2);
  former.forget();
  await former.of("tester");
  expect(searches()).toBe(3);
});
