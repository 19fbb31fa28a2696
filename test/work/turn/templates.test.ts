import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemplates, renderTemplate } from "../../../src/work/turn/templates.ts";
import { CannotGoOn } from "../../../src/base/fatal.ts";
import { MemoryFiles } from "../../rig/memory-files.ts";

test("every occurrence of a slot is filled", () => {
  expect(renderTemplate("{{a}} and {{b}} and {{a}}", { a: "1", b: "2" })).toBe("1 and 2 and 1");
});

test("slots inside values are not filled", () => {
  const hostile = { a: "{{b}} $& $1 $` $'", b: "secret" };
  expect(renderTemplate("[{{a}}]", hostile)).toBe("[{{b}} $& $1 $` $']");
});

test("a slot without a value stays visible", () => {
  expect(renderTemplate("{{a}} {{ a }} {{A}}", { b: "1" })).toBe("{{a}} {{ a }} {{A}}");
});

test("a line that is only an empty slot is removed, and a line that only begins with one stays", () => {
  const text = "One.\n\n{{a}}\n\n{{b}}\n\n{{a}} two.\n\n{{a}}\n";
  expect(renderTemplate(text, { a: "", b: "1" })).toBe("One.\n\n1\n\n two.\n\n");
});

test("names of inherited properties do not count as values", () => {
  expect(renderTemplate("{{constructor}} {{to_string}}", {})).toBe("{{constructor}} {{to_string}}");
});

test("the user's own template wins, for each purpose separately", () => {
  const files = new MemoryFiles();
  files.write("/own/build.md", "own {{milestone}}");
  files.write("/shipped/build.md", "shipped");
  files.write("/shipped/fix.md", "shipped {{id}}");
  const templates = createTemplates(files, ["/own", "/shipped"]);
  expect(templates.render("build", { milestone: "One" })).toBe("own One");
  expect(templates.render("fix", { id: "COR-1" })).toBe("shipped COR-1");
});

test("required slots that an older template lacks are appended", () => {
  const files = new MemoryFiles();
  files.write("/own/review-milestone.md", "Look at {{milestone}}. {{reviewers}}");
  const templates = createTemplates(files, ["/own"]);
  const values = { milestone: "One", reviewers: "For defects.", commits: "", files: "A list." };
  expect(templates.render("review-milestone", values)).toBe(
    "Look at One. For defects.\n\nA list.\n",
  );
  expect(templates.render("review-milestone", { ...values, commits: "All of them." })).toBe(
    "Look at One. For defects.\n\nAll of them.\n\n\nA list.\n",
  );
});

test("an unreadable template ends the process instead of falling back to the shipped one", () => {
  const files = new MemoryFiles();
  files.write("/shipped/build.md", "shipped");
  files.fault = (_, path) => (path === "/own/build.md" ? "EACCES" : undefined);
  const templates = createTemplates(files, ["/own", "/shipped"]);
  expect(() => templates.render("build", {})).toThrow(CannotGoOn);
});

const SHIPPED = join(import.meta.dirname, "../../../templates");

const TEXTS = readdirSync(SHIPPED).filter((name) => name.endsWith(".md"));

test.each(TEXTS)("every placeholder of the shipped %s is a known slot", (name) => {
  const text = readFileSync(join(SHIPPED, name), "utf8");
  const marks = text.match(/\{\{.*?\}\}/g) ?? [];
  expect(marks.filter((mark) => !/^\{\{[a-z_]+\}\}$/.test(mark))).toEqual([]);
});
