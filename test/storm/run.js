// `npm run test:storm -- --kills 300 --seed 7 [--run 12]`: hands its options to the test.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "300" },
    /** By default that of the run of everything, else another one each time. */
    seed: { type: "string", default: process.env.WISP_TEST_SEED ?? String(Date.now() % 1_000_000) },
    /** Only the run of this number, of those that the seed makes. */
    run: { type: "string", default: "" },
  },
});
const { status } = spawnSync("npx", ["vitest", "run", "--mode", "storm"], {
  stdio: "inherit",
  env: {
    ...process.env,
    WISP_STORM_KILLS: values.kills,
    WISP_TEST_SEED: values.seed,
    WISP_STORM_RUN: values.run,
  },
});
process.exitCode = status ?? 1;
