import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellWord } from "../../src/cli/shell-word.ts";

test("ordinary words stay as they are", () => {
  expect(["wisp/api", "--flag=1", "a@b:c"].map(shellWord)).toEqual([
    "wisp/api",
    "--flag=1",
    "a@b:c",
  ]);
});

test("a shell takes any text for the one word that it is", () => {
  const words = ["a;touch${IFS}x", "$(id)", "`id`", "it's", "a b", "", "a\nb", "!!", "*"];
  const line = `printf '%s\\0' ${words.map(shellWord).join(" ")}`;
  expect(execFileSync("sh", ["-c", line], { encoding: "utf8" }).split("\0")).toEqual([
    ...words,
    "",
  ]);
});

test("what is left bare holds nothing that a shell looks at", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const word = shellWord(text);
      expect(word === text ? /^[\w@%+=:,./-]+$/.test(text) : word.startsWith("'")).toBe(true);
    }),
  );
});
