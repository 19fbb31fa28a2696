import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests that run the built `dist/wisp.js`; all others import the source and need no build. */
const USES_DIST = [
  "test/process/**/*.test.ts",
  "test/cli/**/*.test.ts",
  "test/tidy/package.test.ts",
];
/** Minutes long (`npm run test:long`), or in need of something that is not in the repository. */
const NOT_HERE = ["**/*.long.test.ts", "test/storm/**", "test/engines/**", "test/fixtures/**"];

const BUILD_ONCE = ["test/rig/build-once.ts"];

/** `.ci/run` counts the tests in this file; nobody else asks for it. */
const reportPath = process.env["CI_TEST_REPORT"];

export default defineConfig(({ mode }) => ({
  test: {
    reporters:
      reportPath === undefined ? ["default"] : ["default", ["json", { outputFile: reportPath }]],
    pool: "forks",
    // Process tests mostly wait: on two cores two files at a time are faster than vitest's one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    retry: 0,
    coverage: { provider: "v8", include: ["src/**/*.ts"], reportsDirectory: "coverage" },
    passWithNoTests: mode === "long",
    projects:
      mode === "long"
        ? [
            {
              extends: true,
              test: {
                name: "long",
                include: ["test/**/*.long.test.ts"],
                exclude: ["test/storm/**", "test/engines/**", "test/fixtures/**"],
                globalSetup: BUILD_ONCE,
              },
            },
          ]
        : [
            {
              extends: true,
              test: {
                name: "unit",
                include: ["test/**/*.test.ts"],
                exclude: [...NOT_HERE, ...USES_DIST],
              },
            },
            {
              extends: true,
              test: {
                name: "process",
                include: USES_DIST,
                exclude: NOT_HERE,
                globalSetup: BUILD_ONCE,
              },
            },
          ],
  },
}));
