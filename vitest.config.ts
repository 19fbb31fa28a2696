import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests that run the built `dist/wisp.js`; all others import the source and need no build. */
const USES_DIST = [
  "test/process/**/*.test.ts",
  "test/cli/**/*.test.ts",
  "test/tidy/package.test.ts",
];
/** These start processes of compiled sources, or count what this process holds open. */
const KEEPS_STATE = ["test/host/**/*.test.ts"];
/** In need of something that is not in the repository, or no tests. */
const NEVER_HERE = ["test/engines/**", "test/fixtures/**"];
/** Minutes long, each under a name of its own: `npm run test:long`, `test:crash`, `test:storm`. */
const SLOW: Readonly<Record<string, string>> = {
  long: "test/**/*.long.test.ts",
  crash: "test/crash/**/*.test.ts",
  storm: "test/storm/**/*.test.ts",
};
const NOT_HERE = [...NEVER_HERE, ...Object.values(SLOW)];

const BUILD_ONCE = ["test/rig/build-once.ts"];

/** `.ci/run` counts the tests in this file; nobody else asks for it. */
const reportPath = process.env["CI_TEST_REPORT"];

export default defineConfig(({ mode }) => ({
  test: {
    reporters:
      reportPath === undefined ? ["default"] : ["default", ["json", { outputFile: reportPath }]],
    pool: "forks",
    // Process tests mostly wait: on two cores three files at a time are faster than vitest's one.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    retry: 0,
    coverage: { provider: "v8", include: ["src/**/*.ts"], reportsDirectory: "coverage" },
    projects:
      SLOW[mode] !== undefined
        ? [
            {
              extends: true,
              test: {
                name: mode,
                include: [SLOW[mode]],
                exclude: NEVER_HERE,
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
                exclude: [...NOT_HERE, ...USES_DIST, ...KEEPS_STATE],
                // Nobody changes a module's state: loading them anew for each file took a minute.
                isolate: false,
              },
            },
            {
              extends: true,
              test: { name: "host", include: KEEPS_STATE, exclude: NOT_HERE },
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
