import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { identify } from "../../src/host/processes/process-identity.ts";
import { compiledFixture } from "./compiled.ts";

/** Nothing here takes this long, unless it hangs. */
const HANGS_MS = 60_000;

interface Attached {
  readonly said: string;
  readonly code: number | null;
}

/** Runs this JavaScript attached to our pipes, and sends it a line after each line that it prints. */
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

test("the attached command handles an interrupt, and we outlive it", async () => {
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

test("processes that an attached command leaves behind do not outlive it", async () => {
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

/** Runs a shell command in a terminal of its own, and types a text when the terminal shows another. */
async function attachedToScreen(words: string, typed: ReadonlyMap<string, string>) {
  const argv = [process.execPath, compiledFixture("attach-from-screen.js"), "sh", "-c", words];
  const line = argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  // script(1) of util-linux: a terminal that reads its keys from our pipe and writes its screen to another.
  const child = spawn("script", ["-qefc", line, "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
    // The terminal closes with it, and the processes in it end by SIGHUP.
    timeout: HANGS_MS,
  });
  let shown = "";
  const ahead = new Map(typed);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    for (const [awaited, keys] of ahead) {
      if (!shown.includes(awaited)) continue;
      ahead.delete(awaited);
      child.stdin.write(keys);
    }
  });
  await new Promise((resolve) => child.once("close", resolve));
  return shown;
}

test.runIf(existsSync("/proc/self/fdinfo"))(
  "an attached command gets everything that is typed, and our own reads never block",
  async () => {
    const shown = await attachedToScreen(
      `echo ready; read -r one; echo "heard $one"; read -r two; echo "and $two"`,
      new Map([
        ["ready\r\n", "first line\n"],
        ["heard first line\r\n", "second line\n"],
        ["at work again\r\n", "q"],
      ]),
    );
    expect(shown).toContain("heard first line\r\n");
    expect(shown).toContain("and second line\r\n");
    // Only our standard input: 1 and 2 are only written to.
    expect(shown).toMatch(/blocking: \[(?!0)/u);
    expect(shown).toContain('typed to us: "q"');
    expect(shown.match(/typed to us/gu)).toHaveLength(1);
  },
);
