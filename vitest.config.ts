import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { PLANTED_MISTAKES } from "./test/planted/mistakes.ts";
import { NameHangs } from "./test/rig/name-hangs.ts";
import { leaveMachine } from "./test/rig/own-environment.ts";
import { planting } from "./test/rig/planting.ts";

leaveMachine(process.env);

/** Tests that run the built `dist/wisp.js`; all others import the source and need no build. */
const USES_DIST = [
  "test/process/**/*.test.ts",
  "test/{cli,actions,views,workspace,terminal}/**/*.test.ts",
  "test/tidy/package.test.ts",
];
/** These start processes of compiled sources, count what this process holds open, or become another user. */
const KEEPS_STATE = ["test/host/**/*.test.ts"];
/** These fill a process with worlds; what starts a process is the slower the more memory it has to copy. */
const FILLS_MEMORY = ["test/model/**/*.test.ts", "test/sim/**/*.test.ts"];
/** Of these each starts hundreds of processes of git. */
const STARTS_GIT = ["test/{agents,evidence,work}/**/*.test.ts", "test/git/**/*.test.ts"];
const NO_TESTS = ["test/fixtures/**"];

const BUILD_ONCE = ["test/rig/build-once.ts"];
/** For suites of which a sample may be cut anywhere; the others see to it themselves. */
const WITHIN_SHARE = ["test/rig/within-share.ts"];

/** Suites of minutes, each under a name of its own: `npm run test:long`, `test:crash` and so on. */
const SUITES: Readonly<Record<string, Suite>> = {
  long: { include: ["test/**/*.long.test.ts"], setupFiles: WITHIN_SHARE },
  crash: { include: ["test/crash/**/*.test.ts"] },
  storm: { include: ["test/storm/**/*.test.ts"] },
  // The program as npm ships it, in an empty home.
  packed: { include: ["test/packed/**/*.test.ts"] },
  // Needs servers of Debian, which it starts itself, most of them as root; what cannot run here is skipped, and counted.
  executors: { include: ["test/executors/**/*.test.ts"], setupFiles: WITHIN_SHARE },
  // In need of what is not in the repository: `npm run test:engines` puts it there.
  engines: { include: ["test/engines/**/*.test.ts"], setupFiles: WITHIN_SHARE },
};
const NOT_HERE = [...NO_TESTS, ...Object.values(SUITES).flatMap(({ include }) => include)];

interface Suite {
  readonly include: string[];
  readonly setupFiles?: string[];
}

/** What `test/rig/share.ts` reads: the seed, and from when to when the sample may take. */
const { CI_TEST_REPORT, WISP_TEST_SEED, WISP_TEST_SHARE_S } = process.env;
/** `.ci/run` counts the tests in this file; nobody else asks for it. */
const counted: ["json", object][] =
  CI_TEST_REPORT === undefined ? [] : [["json", { outputFile: CI_TEST_REPORT }]];
const beganMs = Date.now();
const seed = Number(WISP_TEST_SEED ?? beganMs % 1_000_000);
const share =
  WISP_TEST_SHARE_S === undefined
    ? {}
    : {
        WISP_TEST_BEGAN_MS: String(beganMs),
        WISP_TEST_ENDS_MS: String(beganMs + Number(WISP_TEST_SHARE_S) * 1_000),
      };

/**
 * Nothing is about time: waits end when nothing moves any more (`test/rig/patience.ts`). This ends a hang; the
 * longer suites have single tests of minutes, and one that kills at every point takes what its points take.
 */
const HANGS_MS = { short: 5 * 60_000, long: 20 * 60_000, sweep: 6 * 60 * 60_000 };

function hangsMsOf(mode: string): number {
  if (SUITES[mode] === undefined) return HANGS_MS.short;
  return mode === "crash" && !("WISP_TEST_ENDS_MS" in share) ? HANGS_MS.sweep : HANGS_MS.long;
}

/** How long a file may say nothing before it is named: some tests of the longer suites take minutes. */
const SILENT_MS_MAX = { short: 2 * 60_000, long: 10 * 60_000 };

/** The files of a project, a process of its own for each or one for many. */
function project(name: string, include: string[], more: object = {}): TestProjectConfiguration {
  return { extends: true, test: { name, include, exclude: NOT_HERE, ...more } };
}

/** What the tests of `test/planted` change in the source, to see that other tests fail. */
const { WISP_TEST_PLANTED } = process.env;
const planted = PLANTED_MISTAKES.filter(({ mistake }) => mistake === WISP_TEST_PLANTED);

export default defineConfig(({ mode }) => {
  const suite = SUITES[mode];
  const hangsMs = hangsMsOf(mode);
  const bounds = { testTimeout: hangsMs, hookTimeout: hangsMs };
  return {
    plugins: planted.map(({ edits }) => ({ ...planting(edits), enforce: "pre" as const })),
    test: {
      reporters: [
        "default",
        new NameHangs(suite === undefined ? SILENT_MS_MAX.short : SILENT_MS_MAX.long),
        ...counted,
      ],
      env: { WISP_TEST_SEED: String(seed), ...share },
      sequence: { seed, shuffle: { files: suite !== undefined && "WISP_TEST_ENDS_MS" in share } },
      pool: "forks",
      // Processes mostly wait: on two cores three files at a time are faster than one. The files of the sweeps that
      // kill share one time: none may begin when it is over.
      maxWorkers: availableParallelism() + (mode === "crash" ? 3 : mode === "engines" ? 2 : 1),
      ...bounds,
      retry: 0,
      coverage: { provider: "v8", include: ["src/**/*.ts"], reportsDirectory: "coverage" },
      projects:
        suite !== undefined
          ? [
              project(mode, suite.include, {
                // What a project extends was read without the mode.
                ...bounds,
                ...suite,
                exclude: NO_TESTS,
                globalSetup: BUILD_ONCE,
              }),
            ]
          : [
              project("unit", ["test/**/*.test.ts"], {
                exclude: [
                  ...NOT_HERE,
                  ...USES_DIST,
                  ...KEEPS_STATE,
                  ...FILLS_MEMORY,
                  ...STARTS_GIT,
                ],
                // Nobody changes a module's state: loading them anew for each file took a minute.
                isolate: false,
              }),
              project("git", STARTS_GIT, { isolate: false }),
              project("model", FILLS_MEMORY),
              project("host", KEEPS_STATE),
              project("process", USES_DIST, { globalSetup: BUILD_ONCE }),
            ],
    },
  };
});
