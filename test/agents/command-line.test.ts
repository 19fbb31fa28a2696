import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { splitCommand } from "../../src/agents/tester/command-line.ts";

test.each([
  ["node --test test/a.test.js", ["node", "--test", "test/a.test.js"]],
  ["  npm\ttest --  -t 'adds up' ", ["npm", "test", "--", "-t", "adds up"]],
  [
    `node -e 'if (f("") !== "0s") process.exit(1);'`,
    ["node", "-e", 'if (f("") !== "0s") process.exit(1);'],
  ],
  [`python3 -c "print(\\"a\\")"`, ["python3", "-c", 'print("a")']],
  [`grep -c "a\\b" file`, ["grep", "-c", "a\\b", "file"]],
  ["cat a\\ b", ["cat", "a b"]],
  ["printf ''", ["printf", ""]],
  ["a'b'\"c\"d", ["abcd"]],
  ["$ npm test", ["npm", "test"]],
  ["env CI=1 npm test", ["env", "CI=1", "npm", "test"]],
  ["git diff HEAD~1 a#b", ["git", "diff", "HEAD~1", "a#b"]],
  ["pytest tests/a.py::test_b", ["pytest", "tests/a.py::test_b"]],
  ["curl '[::1]?a=*'", ["curl", "[::1]?a=*"]],
])("%s is one program and its arguments", (line, words) => {
  expect(splitCommand(line)).toEqual({ ok: true, value: words });
});

test.each([
  ["npm test | tail", "`|` makes a pipe"],
  ["npm test > out", "`>` redirects output"],
  ["a < b", "`<` redirects input"],
  ["a && b", "`&` makes a second command"],
  ["a; b", "`;` begins a second command"],
  ["echo $HOME", "`$` stands for a variable"],
  ['echo "$HOME"', "`$` stands for a variable"],
  ["echo `id`", "stands for what a command prints"],
  ["ls *.js", "`*` makes a pattern"],
  ["ls a?", "`?` makes a pattern"],
  ["ls [ab]", "`[` makes a pattern"],
  ["ls {a,b}", "`{` makes several words"],
  ["ls ~/a", "`~` stands for a home folder"],
  ["(a)", "`(` begins a subshell"],
  ["a # b", "`#` begins a comment"],
  ["CI=1 npm test", "`CI=1` sets a variable"],
  ["! npm test", "`!` turns an exit code round"],
  ["a 'b", "a quote is not closed"],
  ['a "b', "a quote is not closed"],
  ["a \\", "it ends in a backslash"],
  ["a\nb", "several lines"],
  ["node --test te…", "it is cut off"],
  ["", "there is no command"],
  ["''", "there is no command"],
])("%s is refused", (line, reason) => {
  const words = splitCommand(line);
  expect(words.ok).toBe(false);
  if (!words.ok) expect(words.failure.reason).toContain(reason);
});

/** What `sh` gives to a program for a line; the arguments are printed between NULs. */
function shellWords(line: string): readonly string[] {
  const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
  return printed.split("\0").slice(0, -1);
}

const piece = fc.constantFrom(
  ..."ab  ''\"\"\\\\$`|;&<>()*?[]{}~#!=-/.,:%@+^".split(""),
  "\\'",
  '\\"',
);

test("splitting any line gives the words that a shell would pass on", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const line = `x${pieces.join("")}`;
      const words = splitCommand(line);
      if (words.ok) expect(words.value).toEqual(shellWords(line));
    }),
    { numRuns: 300 },
  );
});
