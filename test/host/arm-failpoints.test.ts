import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compiledFixture } from "./compiled.ts";
import { scratch } from "./scratch.ts";

function renameThrice(directory: string, variables: Readonly<Record<string, string>>) {
  mkdirSync(directory);
  const { signal, status } = spawnSync(
    process.execPath,
    [compiledFixture("rename-thrice.js"), directory],
    { env: { ...process.env, ...variables } },
  );
  return { signal, status };
}

test("a process kills itself at the n-th pass of the named point, before or after the effect", () => {
  using folder = scratch();
  const before = renameThrice(folder.at("before"), { WISP_FAILPOINT: "rename.before:2" });
  expect(before).toEqual({ signal: "SIGKILL", status: null });
  expect(existsSync(folder.at("before/1"))).toBe(true);
  const after = renameThrice(folder.at("after"), { WISP_FAILPOINT: "rename.after:2" });
  expect(after).toEqual({ signal: "SIGKILL", status: null });
  expect(existsSync(folder.at("after/2"))).toBe(true);
});

test("each passed point is listed, the last one included", () => {
  using folder = scratch();
  const variables = {
    WISP_FAILPOINT: "rename.after:2",
    WISP_FAILPOINT_LOG: folder.at("points"),
  };
  renameThrice(folder.at("work"), variables);
  expect(readFileSync(folder.at("points"), "utf8")).toBe(
    "rename.before\nrename.after\nrename.before\nrename.after\n",
  );
});

test("a child process does not inherit failpoints", () => {
  using folder = scratch();
  const variables = { WISP_FAILPOINT: "rename.after:9", WISP_FAILPOINT_LOG: folder.at("points") };
  expect(renameThrice(folder.at("work"), variables)).toEqual({ signal: null, status: 0 });
  expect(readFileSync(folder.at("work/variables"), "utf8")).not.toContain("WISP_FAILPOINT");
});

test("without a failpoint, or with one that never comes, nothing happens", () => {
  using folder = scratch();
  for (const [name, WISP_FAILPOINT] of [
    ["none", ""],
    ["other", "link.before:1"],
    ["later", "rename.before:4"],
    ["nonsense", "rename.before"],
  ] as const) {
    expect(renameThrice(folder.at(name), { WISP_FAILPOINT })).toEqual({ signal: null, status: 0 });
    expect(existsSync(folder.at(`${name}/3`))).toBe(true);
  }
});
