import { expect, test } from "vitest";
import { ROLES } from "../../../src/base/role.ts";
import { RoleMemory } from "../../../src/agents/supervisor/role-memory.ts";
import type { EndCause, ProcessEnd } from "../../../src/agents/supervisor/restart-history.ts";
import { DEFAULT_TIMING } from "../../../src/agents/supervisor/timing.ts";

/*
 * At the end of a supervision the processes that engines left are looked for, except those of roles whose process
 * ended by itself with nothing left to do: any other end may have left some.
 */

const EXITED: ProcessEnd["how"] = { kind: "exited", code: 0 };

test.each<[end: string, how: ProcessEnd["how"], cause: EndCause, isSwept: boolean]>([
  ["a child that ended by itself at the session's end", EXITED, "over", false],
  ["a child that failed at the session's end", { kind: "exited", code: 1 }, "over", true],
  ["a child that was asked to end", EXITED, "asked", true],
  ["a child that crashed", { kind: "exited", code: 137 }, "crash", true],
  ["a process that a person started", { kind: "left" }, "over", true],
  ["a child of another supervisor", { kind: "gone" }, "over", true],
])(
  "after %s, its engines' processes are looked for unless it swept itself",
  (_, how, cause, isSwept) => {
    const memory = new RoleMemory();
    expect(memory.endedOtherwise()).toEqual(ROLES);
    const end = { how, atMs: 1, ranMs: 1, wasAsked: cause === "asked" };
    memory.noteEnd("builder", { ...end, how: EXITED }, "over", DEFAULT_TIMING);
    memory.noteEnd("builder", end, cause, DEFAULT_TIMING);
    expect(memory.endedOtherwise().includes("builder")).toBe(isSwept);
    expect(memory.endedOtherwise()).toHaveLength(isSwept ? 4 : 3);
  },
);
