import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { documentOf } from "../rig/document.ts";
import { repositoryRoot, sourceFiles } from "./repository.ts";

const ARCHITECTURE = documentOf("docs/ARCHITECTURE.md");
const MARK = "**Architecture Invariant:**";
const PAGES = [
  "README.md",
  "docs/ARCHITECTURE.md",
  "docs/PROTOCOL.md",
  "docs/REPOSITORIES.md",
  "logs/README.md",
];

/** Paths in backticks in a text, without those that contain a wildcard. */
function pathsIn(text: string, folder: string): readonly string[] {
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = ""]) => path);
  return quoted.filter((path) => path.startsWith(`${folder}/`) && !/[*<>…]/.test(path));
}

function missing(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !existsSync(join(repositoryRoot, path)));
}

test("each invariant names the tests that check it, and they exist", () => {
  const invariants = ARCHITECTURE.split("\n\n").filter((paragraph) => paragraph.startsWith(MARK));
  expect(invariants.length).toBeGreaterThan(10);
  const unheld = invariants.filter((text) => {
    return !pathsIn(text, "test").some((path) => path.endsWith(".test.ts"));
  });
  expect(unheld).toEqual([]);
  expect(missing(invariants.flatMap((text) => pathsIn(text, "test")))).toEqual([]);
});

test("every file and folder that the code map names exists", () => {
  const named = ["src", "test", "docs", "templates"].flatMap((folder) =>
    pathsIn(ARCHITECTURE, folder),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(missing(named)).toEqual([]);
});

test("each kind of repository names the tests that hold what wisp does with it, and they exist", () => {
  const rows = documentOf("docs/REPOSITORIES.md")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:repository|-+) /u.test(line));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => pathsIn(row, "test").length === 0)).toEqual([]);
  expect(missing(rows.flatMap((row) => pathsIn(row, "test")))).toEqual([]);
});

test("each wait of the product says what it costs and how it is told, and names a test that exists", () => {
  const [, from = ""] = ARCHITECTURE.split("### Waits\n");
  const [part = ""] = from.split("\n## ");
  const rows = part
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:what waits|-+) /u.test(line));
  expect(rows.length).toBeGreaterThan(12);
  expect(rows.filter((row) => pathsIn(row, "test").length === 0)).toEqual([]);
  expect(
    rows.filter((row) => row.split("|").some((cell, n) => n > 0 && n < 5 && cell.trim() === "")),
  ).toEqual([]);
  expect(missing(rows.flatMap((row) => pathsIn(row, "test")))).toEqual([]);
});

test("every folder of the source is in the code map", () => {
  const folders = new Set(sourceFiles().map((path) => path.split("/")[1] ?? ""));
  const layers = [...folders].map((name) => `\`src/${name}\``);
  expect(layers.filter((layer) => !ARCHITECTURE.includes(layer))).toEqual([]);
});

test.each(PAGES)("every link to a file in %s leads to an existing file", (page) => {
  const links = [...documentOf(page).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)];
  const targets = links.map(([, target = ""]) => join(dirname(page), target));
  expect(missing(targets)).toEqual([]);
});
