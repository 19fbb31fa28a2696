import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { PLANTED_MISTAKES } from "./mistakes.ts";
import type { PlantedMistake } from "./planted-mistake.ts";

/*
 * Each guard of a fast path is left out of the source, alone: a test must find that. What a test run loads with a
 * mistake in it is decided by `vitest.config.ts`:
 *
 *   WISP_TEST_PLANTED='<mistake>' npx vitest run <file>
 */

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const VITEST = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));

/** A mistake may make a test wait for ever. */
const HANGS_MS = 60_000;

const Report = z.object({
  testResults: z.array(
    z.object({
      message: z.string(),
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
});

/** How vitest is told to run a file that it leaves out otherwise. */
function modeOf(file: string): readonly string[] {
  if (file.startsWith("test/crash/")) return ["--mode", "crash"];
  return file.endsWith(".long.test.ts") ? ["--mode", "long"] : [];
}

/** The titles of the tests that were run with a mistake in the source, by their outcome. */
async function outcomes({ mistake, foundBy }: PlantedMistake) {
  const { file, title } = foundBy;
  const pattern = `^${title.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`)}`;
  const mode = modeOf(file);
  const args = [
    VITEST,
    "run",
    file,
    ...mode,
    "-t",
    pattern,
    "--reporter=json",
    `--testTimeout=${HANGS_MS}`,
  ];
  // Without the share of this run, because the other one is whole, and without the file for this run's results.
  const { WISP_TEST_SHARE_S: _share, CI_TEST_REPORT: _report, ...rest } = process.env;
  const env = { ...rest, WISP_TEST_PLANTED: mistake };
  const printed = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: REPOSITORY, env }, (_error, stdout) => {
      resolve(stdout);
    });
  });
  const { testResults } = Report.parse(JSON.parse(printed.slice(printed.indexOf("{"))));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const titles = (status: string) =>
    tests.filter((one) => one.status === status).map((one) => one.title);
  return { failed: titles("failed"), passed: titles("passed") };
}

for (const planted of PLANTED_MISTAKES) {
  const { mistake, foundBy } = planted;
  test(`a test finds that ${mistake}`, async () => {
    const { failed, passed } = await outcomes(planted);
    console.log(`failed: ${failed.join("; ")}`);
    expect({ tests: foundBy.title, failed: failed.length > 0, passed }).toMatchObject({
      failed: true,
    });
  });
}
