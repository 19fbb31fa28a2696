import { basename } from "node:path";
import { expect, test } from "vitest";
import { HOME_FILE_NAMES, HOME_FILES, HOME_FOLDERS } from "../../src/fs-protocol/home/catalogue.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { documentOf } from "../rig/document.ts";
import { sourceFiles, textOf } from "../tidy/repository.ts";

test("PROTOCOL.md names every file and folder of a home", () => {
  const protocol = documentOf("docs/PROTOCOL.md");
  const files = HOME_FILE_NAMES.map((name) => basename(HOME_FILES[name].path));
  const folders = Object.values(HOME_FOLDERS).map((path) => `${basename(path)}/`);
  expect(files.length).toBeGreaterThan(20);
  expect([...files, ...folders].filter((name) => !protocol.includes(name))).toEqual([]);
});

test("PROTOCOL.md names every file that is made in locks/ of a home, and below the root of a place", () => {
  const protocol = documentOf("docs/PROTOCOL.md");
  const namesIn = (folders: RegExp, form: RegExp) =>
    sourceFiles()
      .filter((path) => folders.test(path))
      .flatMap((path) => [...textOf(path).matchAll(form)].map(([, name]) => String(name)));
  const inPlace = /^src\/(?:remote|actions\/(?:elsewhere|move)|host\/system)\//u;
  const made = [
    ...namesIn(/^/u, /\blocks, "([^"]+)"/gu).map((name) => `locks/${name}`),
    ...namesIn(/^src\/remote\//u, /^export const \w+_LEASE = "([^"]+)"/gmu),
    ...namesIn(inPlace, /\broot(?: \?\? "")?, "([^"]+)"/gu),
    ...namesIn(inPlace, /^export const SECRETS_FILE = "([^"]+)"/gmu),
  ];
  const known = ["locks/link.json", "mirror.lock", "far.json", "given", "commands", "secrets.json"];
  expect(made).toEqual(expect.arrayContaining(known));
  expect(made.filter((name) => !protocol.includes(name))).toEqual([]);
});

test("no two files of a home have the same path", () => {
  const paths = Object.values(homeAt("/home-of-it"));
  expect(new Set(paths).size).toBe(paths.length);
});

test("every file with several writers has a copy that all of them find", () => {
  const shared = HOME_FILE_NAMES.map((name) => HOME_FILES[name]).filter(
    ({ kind, writers }) => kind !== "notes" && writers.length > 1,
  );
  expect(shared.map(({ path }) => path)).toEqual(["PROGRESS.txt", "CHANGES.md"]);
  expect(shared.map((file) => file.copy)).toEqual(["shared", "shared"]);
});
