import fc from "fast-check";
import { expect, test } from "vitest";
import { lastMessageLines, readLastMessage } from "../../src/fs-protocol/findings/last-message.ts";

test("uses the last line that is an object with a status", () => {
  const stdout = [
    `{"status":"DONE","summary":"first"}`,
    `{"status":"CONTINUE","summary":"half of it"}`,
    `{"level":"info"}`,
    "bye",
    "",
  ].join("\n");
  expect(readLastMessage(stdout)).toEqual({ status: "CONTINUE", summary: "half of it" });
});

test("without such a line, the status is DONE", () => {
  expect(readLastMessage("I am DONE\nstatus: BLOCKED\n")).toEqual({ status: "DONE" });
});

test.each([
  ["an unknown status", `{"status":"PASSED"}`],
  ["a status in lower case", `{"status":"blocked"}`],
  ["an array", `["status","BLOCKED"]`],
  ["an incomplete object", `{"status":"BLOCKED"`],
  ["an object inside prose", `see {"status":"BLOCKED"}`],
  ["an object of more than forty lines", `{"status":\n${"\n".repeat(40)}"BLOCKED"}`],
  ["a nested status over lines", `{\n"result":\n{\n"status":"BLOCKED"\n}\n}`],
  ["a member of a list", `{"all": [\n{"status":"BLOCKED"}\n]}`],
  ["a promise of something else", "<promise>NOTHING</promise>"],
  ["a nested status", `{"result":{"status":"BLOCKED"}}`],
  ["a message that is too long", `{"status":"BLOCKED","question":"${"x".repeat(70_000)}"}`],
])("%s is not a last message", (_, line) => {
  expect(readLastMessage(line)).toEqual({ status: "DONE" });
});

test("ignores fields of the wrong type and unknown fields", () => {
  const line = `{"status":"NEEDS_INPUT","question":["?"],"summary":7,"cost":1}`;
  expect(readLastMessage(line)).toEqual({ status: "NEEDS_INPUT" });
});

test("cleans and cuts its texts to one line", () => {
  const question = `Which\n\u001b[31mport\u001b[0m?${"!".repeat(2_000)}`;
  const word = readLastMessage(JSON.stringify({ status: "NEEDS_INPUT", question }));
  expect(word.question).toMatch(/^Which port\?!+…$/u);
  expect(word.question).toHaveLength(1_000);
});

test("ignores carriage returns at line ends", () => {
  expect(readLastMessage(`{"status":"BLOCKED","error":"no network"}\r\n`)).toEqual({
    status: "BLOCKED",
    error: "no network",
  });
});

test("finds the lines of the last message", () => {
  expect(lastMessageLines(["a", `{"status":"DONE"}`, "b"])).toMatchObject({ first: 1, last: 1 });
  expect(lastMessageLines(["a", "{", `"status":"DONE"}`, "b"])).toMatchObject({
    first: 1,
    last: 2,
  });
  expect(lastMessageLines(["a", "b"])).toBeUndefined();
});

test("reads a last message in a code fence and over several lines", () => {
  const text = [
    "I cannot know the port.",
    "```json",
    "{",
    `  "status": "NEEDS_INPUT",`,
    `  "question": "Which port?",`,
    `  "facts": { "tried": [80] }`,
    "}",
    "```",
    "",
  ].join("\n");
  expect(readLastMessage(text)).toEqual({ status: "NEEDS_INPUT", question: "Which port?" });
});

test.each(["STORY_COMPLETE", "ALL_COMPLETE"])("the promise %s means DONE", (promise) => {
  const before = `{"status":"CONTINUE","summary":"half"}`;
  const tag = `<promise>${promise}</promise>`;
  expect(readLastMessage(`${before}\nAll tests pass.\n${tag}\n`)).toEqual({ status: "DONE" });
  expect(readLastMessage(`${before}\nAll tests pass: ${tag}\n`)).toEqual({ status: "DONE" });
  expect(readLastMessage(`${tag}\n${before}`)).toMatchObject({ status: "CONTINUE" });
  const talk = `I shall say ${tag} when it is done.`;
  expect(readLastMessage(`${before}\n${talk}`)).toMatchObject({ status: "CONTINUE" });
});

test("never throws, whatever the output", () => {
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
        readLastMessage(lines.join("\n")).status,
      );
    }),
  );
});

test("many lines that begin like a last message take little time and do not hide an earlier one", () => {
  const flood = `{"status"x}\n`.repeat(100_000);
  expect(readLastMessage(`{"status":"BLOCKED"}\n${flood}`)).toEqual({ status: "BLOCKED" });
});
