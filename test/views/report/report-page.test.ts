import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { headline } from "../../../src/views/report/headline.ts";
import { reportPage } from "../../../src/views/report/page/report-page.ts";
import { reportMarkdown } from "../../../src/views/report/report-markdown.ts";
import { failedTurns, writtenReport } from "../../rig/written-report.ts";

const HOSTILE = `</script><img src=x onerror="alert(1)">&"'\`| [x](javascript:x) @everyone`;
test("text from models and files stays text, wherever it is on the page", () => {
  const page = reportPage(writtenReport([HOSTILE], HOSTILE, failedTurns(1, HOSTILE)));
  expect(page).not.toMatch(/<img|<\/script><img/u);
  expect(page.match(/&#x3C;\/script>/gu)?.length).toBeGreaterThanOrEqual(5);
  expect(page.match(/<script/gu)).toHaveLength(1);
});

test("the page permits exactly the style and the script that are in it, and nothing from elsewhere", () => {
  const page = reportPage(writtenReport(["One"], "Brief"));
  const policy = /content="(default-src[^"]*)"/u.exec(page)?.[1]?.replaceAll("&#x27;", "'") ?? "";
  for (const [tag, directive] of [
    ["style", "style-src"],
    ["script", "script-src"],
  ] as const) {
    const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "u").exec(page)?.[1] ?? "";
    const digest = createHash("sha256").update(text).digest("base64");
    expect(policy).toContain(`${directive} 'sha256-${digest}'`);
  }
  expect(policy).toContain("default-src 'none'");
  expect(page).not.toMatch(/\b(?:src|href|style)=/u);
});

test("each of 1,000 milestones and 4,000 turns is on the page", () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `Milestone ${String(at)}`);
  const page = reportPage(writtenReport(names, "Brief", failedTurns(4_000, "why")));
  expect(page.match(/<rect /gu)).toHaveLength(4_000);
  expect(page.match(/<td class="strong">Milestone /gu)).toHaveLength(1_000);
  expect(page).toContain("0 of 1000");
});

test("Markdown from models and files has no effect in the Markdown form", () => {
  const text = reportMarkdown(writtenReport([HOSTILE], HOSTILE, failedTurns(1, HOSTILE)));
  expect(text).not.toMatch(/(?<!\\)<img|(?<!\\)\[x\]|@everyone/u);
  for (const line of text.split("\n").filter((one) => one.startsWith("|"))) {
    // As many cells as its table has columns: no bar of the text ends one.
    expect([6, 8]).toContain(line.match(/(?<!\\)\|/gu)?.length);
  }
});

test("a session whose state cannot be read is never called complete, and the report says why", () => {
  const view = {
    ...writtenReport(["One"], "Brief"),
    status: undefined,
    trouble: ["The log is gone."],
  };
  expect(headline(view)).toEqual({
    tone: "bad",
    text: "The state of this session cannot be read: The log is gone.",
  });
  for (const text of [reportPage(view), reportMarkdown(view)]) {
    expect(text).toContain("The log is gone");
    expect(text).not.toMatch(/complete/iu);
  }
});
