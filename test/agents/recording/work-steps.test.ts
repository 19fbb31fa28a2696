import fc from "fast-check";
import { expect, test } from "vitest";
import { redactorOf } from "../../../src/agents/recording/redact.ts";
import { patchOf, workSteps } from "../../../src/agents/recording/work-steps.ts";
import type { FileChange } from "../../../src/git/clone/turn-changes.ts";

const same = (text: string) => text;

function file(text: string, mode = "100644") {
  return { mode, bytes: Buffer.from(text) };
}

function change(path: string, before: string | undefined, after: string | undefined): FileChange {
  const state = (text: string | undefined) => (text === undefined ? undefined : file(text));
  return { path, before: state(before), after: state(after) };
}

test("a patch turns any old text into the new one, at its only place", () => {
  const line = fc.constantFrom("a\n", "b\n", "c\n", "\n", "}\n");
  const text = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom("", "end"))
    .map(([lines, end]) => lines.join("") + end);
  fc.assert(
    fc.property(text, text, (before, after) => {
      const patch = patchOf(before, after);
      if (patch === undefined) return;
      const parts = before.split(patch.find);
      expect(parts).toHaveLength(2);
      expect(parts.join(patch.replace)).toBe(after);
    }),
    { numRuns: 1_000 },
  );
});

test("a patch does not use a text that also occurs at an overlapping place", () => {
  const before = `${"a\n".repeat(8)}\n\n\nb\n`;
  const after = `${"a\n".repeat(8)}\n\nc\n\nb\n`;
  const patch = patchOf(before, after);
  expect(patch && before.split(patch.find).join(patch.replace)).toBe(after);
});

test("a small edit of a large file becomes a patch, a new file a write, a removed one a delete", () => {
  const lines = Array.from({ length: 40 }, (_, n) => `line ${String(n)}\n`);
  const before = lines.join("");
  const after = before.replace("line 20\n", "line twenty\n");
  expect(
    workSteps(
      [
        {
          message: "Do it",
          changes: [change("a.txt", before, after), change("b", undefined, "b\n")],
        },
        { message: undefined, changes: [change("c", "c\n", undefined)] },
      ],
      same,
    ),
  ).toEqual([
    {
      patch: {
        path: "a.txt",
        find: "line 19\nline 20\nline 21\n",
        replace: "line 19\nline twenty\nline 21\n",
      },
    },
    { write: { path: "b", content: "b\n" } },
    { commit: "Do it" },
    { delete: { path: "c" } },
  ]);
});

test("binary files, executables and links are recreated exactly", () => {
  const binary = { mode: "100644", bytes: Uint8Array.of(0, 255, 1) };
  const changes: readonly FileChange[] = [
    { path: "x.bin", before: undefined, after: binary },
    { path: "run.sh", before: file("#!/bin/sh\n"), after: file("#!/bin/sh\n", "100755") },
    { path: "link", before: undefined, after: file("target", "120000") },
  ];
  expect(workSteps([{ message: undefined, changes }], same)).toEqual([
    { write: { path: "x.bin", content: "AP8B", encoding: "base64" } },
    { delete: { path: "run.sh" } },
    { write: { path: "run.sh", content: "#!/bin/sh\n", executable: true } },
    { run: { argv: ["ln", "-sfn", "--", "target", "link"] } },
  ]);
});

test("secrets are redacted: values of the environment, and texts that look like keys", () => {
  const redact = redactorOf({
    SHOP_API_KEY: "correct-horse",
    SSH_AUTH_SOCK: "/tmp/agent.sock",
    KEYBOARD: "qwertyuiop",
    PIN_TOKEN: "1234",
  });
  const key = ["sk", "ant", "api03", "abcdefghijklmnop"].join("-");
  const told = `k=correct-horse ${key} /tmp/agent.sock qwertyuiop 1234`;
  expect(redact(told)).toBe("k=REDACTED REDACTED /tmp/agent.sock qwertyuiop 1234");
  expect(redact("Authorization: Bearer abcdefghijklmnopqrst")).toBe(
    "Authorization: Bearer REDACTED",
  );
  expect(redact("https://me:hunter22@example.com/x")).toBe("https://me:REDACTED@example.com/x");
});

test("no step contains a secret of the environment, wherever it was", () => {
  const secret = "correct-horse";
  const redact = redactorOf({ SHOP_SECRET: secret });
  const piece = fc.constantFrom("a\n", "b\n", `${secret}\n`, `x ${secret}`, "c\n");
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, text, text, (before, after, message) => {
      const steps = workSteps([{ message, changes: [change("f", before, after)] }], redact);
      expect(JSON.stringify(steps)).not.toContain(secret);
    }),
  );
});
