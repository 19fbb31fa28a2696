import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** `.ci/run` counts the tests in this file; nobody else asks for it. */
const reportPath = process.env["CI_TEST_REPORT"];

/** `npm run test:engines`: the real coding CLIs against scripted models on the loopback interface. */
export default defineConfig({
  test: {
    include: ["test/engines/**/*.test.ts"],
    reporters:
      reportPath === undefined ? ["verbose"] : ["verbose", ["json", { outputFile: reportPath }]],
    globalSetup: ["test/rig/build-once.ts"],
    pool: "forks",
    // They mostly wait: for a CLI that tries again, for a limit's end.
    maxWorkers: availableParallelism() + 2,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    retry: 0,
  },
});
