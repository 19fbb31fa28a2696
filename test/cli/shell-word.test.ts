import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellWord } from "../../src/base/words/shell-word.ts";

test("leaves ordinary words unquoted", () => {
  expect(["wisp/api", "--flag=1", "a@b:c"].map(shellWord)).toEqual([
    "wisp/api",
    "--flag=1",
    "a@b:c",
  ]);
});

test("a shell reads any quoted text as one word", () => {
  const words = ["a;touch${IFS}x", "$(id)", "`id`", "it's", "a b", "", "!!", "*"];
  const line = `printf '%s\\0' ${words.map(shellWord).join(" ")}`;
  expect(execFileSync("sh", ["-c", line], { encoding: "utf8" }).split("\0")).toEqual([
    ...words,
    "",
  ]);
});

test("a shown command contains no control characters", () => {
  expect(shellWord("a\u001b[2Jb\r\n\u202ec")).toBe("'ab c'");
});
