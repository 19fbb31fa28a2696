import { expect, test } from "vitest";
import {
  changedCheckSettings,
  lostDocuments,
} from "../../../src/evidence/strange/changed-paths.ts";
import type { ChangedEntry } from "../../../src/base/ports/patches.ts";

const entry = (status: ChangedEntry["status"]) => (path: string) => {
  return { status, path, before: undefined, after: undefined };
};
const deleted = entry("deleted");

test("documents and licences that are deleted are named, others and moved ones are not", () => {
  const paths = [
    "README.md",
    "lib/LICENSE",
    "COPYING",
    "NOTICE.txt",
    "docs/a.png",
    "LICENSE-MIT",
    "src/a.ts",
    "readmes.ts",
  ];
  expect(lostDocuments(paths.map(deleted), [])).toEqual([
    "COPYING",
    "LICENSE-MIT",
    "NOTICE.txt",
    "README.md",
    "docs/a.png",
    "lib/LICENSE",
  ]);
  expect(lostDocuments([entry("renamed")("README.md"), entry("modified")("LICENSE")], [])).toEqual(
    [],
  );
});

test.each([
  ["docs/old/a.md", "Delete docs/old/a.md, please", true],
  ["docs/old/a.md", "a.md is out of date", true],
  ["docs/old/a.md", "Remove everything below docs/old/", true],
  ["docs/old/a.md", "See docs/ for more", false],
  ["docs/old/a.md", "See data.md", false],
  ["README.md", "Update the README\nDelete the cache", false],
  ["README.md", "Drop the readme", true],
  ["LICENSE", "We no longer need the LICENSE", true],
  ["LICENSE", "Respect the license", false],
])("%s is asked for by %j: %s", (path, request, isAsked) => {
  expect(lostDocuments([deleted(path)], [request])).toEqual(isAsked ? [] : [path]);
});

test("settings of lint and types that existed are named, new ones are not", () => {
  const paths = [
    ...[
      ".eslintrc.json",
      "eslint.config.mjs",
      ".eslintignore",
      "web/tsconfig.build.json",
      "biome.json",
    ],
    ...[
      ".pylintrc",
      "mypy.ini",
      ".flake8",
      "ruff.toml",
      ".rubocop.yml",
      ".golangci.yml",
      "phpstan.neon",
    ],
  ];
  expect(changedCheckSettings(paths.map(entry("modified")))).toEqual([...paths].sort());
  expect(changedCheckSettings(paths.map(deleted))).toEqual([...paths].sort());
  expect(changedCheckSettings(paths.map(entry("added")))).toEqual([]);
  const others = ["src/eslint.ts", "tsconfig.ts", "eslint-plugin/index.js", "docs/mypy.ini.md"];
  expect(changedCheckSettings(others.map(entry("modified")))).toEqual([]);
});
