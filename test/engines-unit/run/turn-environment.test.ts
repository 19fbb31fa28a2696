import { expect, test } from "vitest";
import { turnEnvironment } from "../../../src/engines/run/turn-environment.ts";
import { turnRequest } from "../turn-request.ts";

test("describes the turn in variables, and omits those that do not apply", () => {
  expect(turnEnvironment({}, turnRequest("/clone"))).toEqual({
    WISP_ROLE: "builder",
    WISP_PURPOSE: "build",
    WISP_SESSION: "demo",
    WISP_HOME: "/clone/home",
    WISP_UNIT: "build:API:1",
    WISP_ATTEMPT: "1",
    WISP_ASK: "1",
  });
});

test("passes on every field of a turn", () => {
  const request = turnRequest("/clone", {
    milestone: "API: a|b 😀",
    startSha: "1".repeat(40),
    endSha: "2".repeat(40),
    tasksFile: "/clone/session/TASKS.copy.md",
    finding: "COR-3fa2b1",
  });
  expect(turnEnvironment({}, request)).toMatchObject({
    WISP_MILESTONE: "API: a|b 😀",
    WISP_START_SHA: "1".repeat(40),
    WISP_END_SHA: "2".repeat(40),
    WISP_TASKS_FILE: "/clone/session/TASKS.copy.md",
    WISP_FINDING: "COR-3fa2b1",
  });
});

test("inherits the base environment, except the variables of another turn", () => {
  const base = {
    PATH: "/bin",
    WISP_FINDING: "COR-000000",
    WISP_STATE: "kept",
    constructor: "kept",
  };
  const env = turnEnvironment(base, turnRequest("/clone"));
  expect(env).toMatchObject({ PATH: "/bin", WISP_STATE: "kept", constructor: "kept" });
  expect(env).not.toHaveProperty("WISP_FINDING");
});

test("removes NUL characters, with which no process can be started", () => {
  expect(turnEnvironment({}, turnRequest("/clone", { milestone: "a\0b" }))).toMatchObject({
    WISP_MILESTONE: "ab",
  });
});
