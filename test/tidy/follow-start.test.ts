import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { repositoryRoot } from "./repository.ts";

/** Nobody should have to open more files to follow a start. Lower these when the path gets shorter. */
const FILES_MAX = 60;
const CLIMBS_MAX = 28;

test("the path of `wisp start` to its supervisor gets no longer", () => {
  const printed = execFileSync(process.execPath, ["test/tidy/follow-start.js"], {
    cwd: repositoryRoot,
    encoding: "utf8",
  });
  const marks = ["session-draft", "trust-commands", "create-session", "continue-session"];
  const places = marks.map((name) => printed.indexOf(`/${name}.ts`));
  expect(places.every((at) => at >= 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const total = /^\d+ stays, (\d+) files, (\d+) climbs$/m.exec(printed);
  expect(Number(total?.[1])).toBeLessThanOrEqual(FILES_MAX);
  expect(Number(total?.[2])).toBeLessThanOrEqual(CLIMBS_MAX);
});
