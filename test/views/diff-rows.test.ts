import { expect, test } from "vitest";
import { diffRows } from "../../src/views/rows/diff-rows.ts";
import { plainText, type Style } from "../../src/views/rows/row.ts";

function styled(diff: string): readonly (readonly [style: Style | undefined, text: string])[] {
  return diffRows(diff.split("\n")).map((one) => [one[0]?.style, plainText([one])]);
}

test("a diff has colours by what its lines are, also if a changed line looks like a heading", () => {
  const diff = String.raw`diff --git a/x.sql b/x.sql
--- a/x.sql
+++ b/x.sql
@@ -1,3 +1,3 @@ query
 select 1
--- an old comment
+++ a new comment
 end
diff --git a/y b/y
@@ -1 +0,0 @@
-gone
\ No newline at end of file`;
  expect(styled(diff)).toEqual([
    ["strong", "diff --git a/x.sql b/x.sql"],
    ["faint", "--- a/x.sql"],
    ["faint", "+++ b/x.sql"],
    ["question", "@@ -1,3 +1,3 @@ query"],
    ["plain", " select 1"],
    ["bad", "--- an old comment"],
    ["good", "+++ a new comment"],
    ["plain", " end"],
    ["strong", "diff --git a/y b/y"],
    ["question", "@@ -1 +0,0 @@"],
    ["bad", "-gone"],
    ["faint", String.raw`\ No newline at end of file`],
  ]);
});

test("a line of a file cannot act on the terminal, and a carriage return makes no line of its own", () => {
  const [, line] = styled("@@ -0,0 +1 @@\n+\u001B[2Jevil\u001B]0;title\u0007\u202E\rover\tend");
  expect(line).toEqual(["good", "+evil over    end"]);
  expect(styled(`@@ -0,0 +1 @@\n+${"x".repeat(5_000)}`)[1]?.[1].length).toBeLessThan(2_001);
});
