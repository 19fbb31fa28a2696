import { defineConfig } from "vitest/config";

/** `npm run test:engines`: the real coding CLIs against scripted models on the loopback interface. */
export default defineConfig({
  test: {
    include: ["test/engines/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 300_000,
    retry: 0,
  },
});
