import { expect, test } from "vitest";
import { countsByName, startedOf } from "../../bench/started.js";

test("a process counts for the programs that it executed, not for those that it did not find", () => {
  const lines = [
    'execve("/usr/local/bin/unshare", ["unshare", "--pid"], 0x7ff /* 12 vars */) = -1 ENOENT (No such file or directory)',
    'execve("/usr/bin/unshare", ["unshare", "--pid"], 0x7ff /* 12 vars */) = 0',
    'execve("/bin/sh", ["/bin/sh", "-c", "echo \\"a\\", b"], 0x7ff /* 12 vars */) = 0',
    "",
  ].join("\n");
  expect(startedOf(lines)).toEqual([
    ["unshare", "--pid"],
    ["/bin/sh", "-c", 'echo \\"a\\", b'],
  ]);
});

test("processes are counted by the last program of each, most first", () => {
  const commit = [["git", "commit"]];
  const counts = countsByName([[["/usr/bin/node", "/a/wisp.js"]], commit, commit]);
  expect([...counts]).toEqual([
    ["git", 2],
    ["node wisp.js", 1],
  ]);
});
