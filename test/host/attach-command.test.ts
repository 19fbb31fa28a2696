import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { identify } from "../../src/host/process-identity.ts";
import { compiledFixture } from "./compiled.ts";

interface Attached {
  readonly said: string;
  readonly code: number | null;
}

/** Runs this JavaScript attached to our pipes, and gives it a line each time that it has said one. */
function attached(script: string, answer: (line: string, pid: number) => string | undefined) {
  const argv = [compiledFixture("attach.js"), process.execPath, "--eval", script];
  const child = spawn(process.execPath, argv, { stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    const line = answer(text, child.pid ?? 0);
    if (line !== undefined) child.stdin.write(line);
  });
  return new Promise<Attached>((resolve) => {
    child.once("close", (code) => {
      resolve({ said, code });
    });
  });
}

test("an attached command has our input and our output, and its own end", async () => {
  const { said } = await attached(
    `console.log("name?");
     process.stdin.once("data", (name) => { console.log("hello " + name); process.exit(7); });`,
    (text) => (text.startsWith("name?") ? "wisp\n" : undefined),
  );
  expect(said).toBe(
    'name?\nhello wisp\n\nended {"ok":true,"value":{"kind":"exited","exitCode":7}}\n',
  );
});

test("an interrupt is the attached command's affair: we outlive it", async () => {
  const { said, code } = await attached(
    `process.once("SIGUSR2", () => process.exit(0)); console.log(process.pid); setInterval(() => {}, 1000);`,
    (text, pid) => {
      if (text.startsWith("ended")) return undefined;
      process.kill(pid, "SIGINT");
      process.kill(Number(text), "SIGUSR2");
      return undefined;
    },
  );
  expect(said).toContain('ended {"ok":true,"value":{"kind":"exited","exitCode":0}}');
  expect(code).toBe(0);
});

test("what an attached command leaves behind does not outlive it", async () => {
  const { said } = await attached(
    `const { spawn } = require("node:child_process");
     const left = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
     left.unref();
     console.log("left " + left.pid);`,
    () => undefined,
  );
  const pid = Number(/left (\d+)/.exec(said)?.[1]);
  expect(pid).toBeGreaterThan(1);
  expect(identify(pid)).toBeUndefined();
});
