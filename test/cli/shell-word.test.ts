import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellWord } from "../../src/base/words/shell-word.ts";

test("ordinary words stay as they are", () => {
  expect(["wisp/api", "--flag=1", "a@b:c"].map(shellWord)).toEqual([
    "wisp/api",
    "--flag=1",
    "a@b:c",
  ]);
});

test("a shell takes any text for the one word that it is", () => {
  const words = ["a;touch${IFS}x", "$(id)", "`id`", "it's", "a b", "", "!!", "*"];
  const line = `printf '%s\\0' ${words.map(shellWord).join(" ")}`;
  expect(execFileSync("sh", ["-c", line], { encoding: "utf8" }).split("\0")).toEqual([
    ...words,
    "",
  ]);
});

test("nothing in a command that is shown can act on the terminal", () => {
  expect(shellWord("a\u001b[2Jb\r\n\u202ec")).toBe("'ab c'");
});
