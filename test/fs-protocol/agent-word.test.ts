import fc from "fast-check";
import { expect, test } from "vitest";
import { agentWordLine, lastAgentWord } from "../../src/fs-protocol/agent-word.ts";

test("the last line that is an object with a status counts", () => {
  const stdout = [
    `{"status":"DONE","summary":"first"}`,
    `{"status":"CONTINUE","summary":"half of it"}`,
    `{"level":"info"}`,
    "bye",
    "",
  ].join("\n");
  expect(lastAgentWord(stdout)).toEqual({ status: "CONTINUE", summary: "half of it" });
});

test("no such line means done", () => {
  expect(lastAgentWord("I am DONE\nstatus: BLOCKED\n")).toEqual({ status: "DONE" });
});

test.each([
  ["an unknown status", `{"status":"PASSED"}`],
  ["a status in lower case", `{"status":"blocked"}`],
  ["an array", `["status","BLOCKED"]`],
  ["half an object", `{"status":"BLOCKED"`],
  ["an object inside prose", `see {"status":"BLOCKED"}`],
  ["an object over two lines", `{"status":\n"BLOCKED"}`],
  ["a nested status", `{"result":{"status":"BLOCKED"}}`],
  ["a word too long to be one", `{"status":"BLOCKED","question":"${"x".repeat(70_000)}"}`],
])("%s is no word", (_, line) => {
  expect(lastAgentWord(line)).toEqual({ status: "DONE" });
});

test("a field of the wrong type is absent, and unknown fields are passed over", () => {
  const line = `{"status":"NEEDS_INPUT","question":["?"],"summary":7,"cost":1}`;
  expect(lastAgentWord(line)).toEqual({ status: "NEEDS_INPUT" });
});

test("its texts are cleaned to one bounded line", () => {
  const question = `Which\n\u001b[31mport\u001b[0m?${"!".repeat(2_000)}`;
  const word = lastAgentWord(JSON.stringify({ status: "NEEDS_INPUT", question }));
  expect(word.question).toMatch(/^Which port\?!+…$/u);
  expect(word.question).toHaveLength(1_000);
});

test("carriage returns at line ends do not matter", () => {
  expect(lastAgentWord(`{"status":"BLOCKED","error":"no network"}\r\n`)).toEqual({
    status: "BLOCKED",
    error: "no network",
  });
});

test("the line of the word is found", () => {
  expect(agentWordLine(["a", `{"status":"DONE"}`, "b"])).toBe(1);
  expect(agentWordLine(["a", "b"])).toBe(-1);
});

test("no output makes it fail", () => {
  const line = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json(),
    fc.constantFrom(
      `{"status":"DONE"}`,
      `{"__proto__":{"status":"BLOCKED"},"status":0}`,
      "{".repeat(5_000),
    ),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      expect(["CONTINUE", "DONE", "NEEDS_INPUT", "BLOCKED"]).toContain(
        lastAgentWord(lines.join("\n")).status,
      );
    }),
  );
});
