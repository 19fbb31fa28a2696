import { expect, test } from "vitest";
import { quarantine } from "../../src/home/quarantine.ts";
import type { Quarantined } from "../../src/fs-protocol/codec/log-fold.ts";
import { homeAt, roleLog } from "../../src/fs-protocol/home/home.ts";
import { memoryPorts } from "../agents/memory-ports.ts";

const home = homeAt("/home");
const OWN = roleLog(home, "builder");

/** A log whose second line is bad. */
function badLog(text = "not a record", path = OWN) {
  const ports = memoryPorts();
  ports.files.write(path, `fine\n${text}\nfine\n`);
  const bad: Quarantined = {
    path,
    offsetBytes: 5,
    lengthBytes: Buffer.byteLength(text) + 1,
    problem: "no record",
  };
  const kept = () => ports.files.textOf(home.quarantine);
  const run = (bads: readonly Quarantined[] = [bad]) => quarantine({ home, ports }, bads, [OWN]);
  return { ports, bad, kept, run };
}

test("a bad line is kept once: its offset, a digest, and its text", async () => {
  const { kept, run, ports } = badLog();
  await run();
  await run();
  expect(kept()).toMatch(/^builder\.log\|5\|[0-9a-f]{8}\|"not a record"\n$/);
  expect(ports.locked).toEqual([home.quarantine, home.quarantine]);
});

test("without bad lines nothing is locked or written", async () => {
  const { ports, kept, run } = badLog();
  await run([]);
  expect(ports.locked).toEqual([]);
  expect(kept()).toBe("");
});

test("bad lines of logs of other roles are ignored", async () => {
  const { kept, run, bad } = badLog();
  await run([{ ...bad, path: roleLog(home, "tester") }]);
  expect(kept()).toBe("");
});

test("a bad line becomes one line of quarantine.log, whatever it contains", async () => {
  const { kept, run } = badLog('a|b"c\u001b[2J\rd\u0000');
  await run();
  expect(kept().split("\n")).toHaveLength(2);
  expect(kept()).not.toContain("\u001b");
});

test("only the beginning of an endless line is kept", async () => {
  const { kept, run } = badLog("x".repeat(100_000));
  await run();
  expect(kept().length).toBeLessThan(5_000);
});

test("two equal lines at different offsets are kept separately", async () => {
  const { ports, kept, run, bad } = badLog();
  ports.files.write(OWN, "fine\nnot a record\nnot a record\n");
  await run([bad, { ...bad, offsetBytes: 18 }]);
  expect(kept().split("\n")).toHaveLength(3);
});

test("a role starts even if the file is very long, and writes no line again", async () => {
  const { ports, kept, run } = badLog();
  await run();
  const line = kept();
  ports.files.write(home.quarantine, `${"x".repeat(20 * 1024 * 1024)}\n${line}`);
  const before = kept().length;
  await run();
  expect(kept().length).toBe(before);
});
