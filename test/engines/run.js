// `npm run test:engines`: installs the CLIs, then runs the tests where there is no network but loopback.
//
//   --extra   with the agents that only speak ACP, which are a gigabyte
//   --newest  with the newest versions of all CLIs, and then a table of what differs from the pinned ones; never fails
//
// All other words go to vitest: `npm run test:engines -- -t claude`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { differences, failedTests, tableOf } from "./compare-runs.js";
import { installAll, newestPackages, pinnedPackages } from "./install.js";

const words = process.argv.slice(2);
const isNewest = words.includes("--newest");
const withExtra = words.includes("--extra");
const VITEST = ["npx", "vitest", "run", "--mode", "engines"];
const rest = words.filter((word) => word !== "--newest" && word !== "--extra");

/** A network of its own, in which only the loopback interface is up; then the command that follows. */
const ALONE = [
  "--user",
  "--map-root-user",
  "--net",
  "sh",
  "-c",
  'ip link set lo up && exec "$@"',
  "-",
];

/** The whole run; each test has a bound of its own. */
const RUN_MS_MAX = 30 * 60_000;

const pinned = pinnedPackages({ withExtra });
const refused = whyRefused();
console.log(refused === undefined ? "network: loopback only" : `network: open, because ${refused}`);
process.exitCode = isNewest ? await compareNewest() : run(await installAll(pinned), rest);

/** Runs vitest with the CLIs at these paths; returns its exit code. */
function run(paths, more, env = {}) {
  const [npx, ...line] = [...VITEST, ...more];
  const { status } =
    refused === undefined
      ? start("unshare", [...ALONE, npx, ...line], paths, env)
      : start(npx, line, paths, env);
  return status ?? 1;
}

function start(executable, args, paths, more) {
  const network = refused === undefined ? "loopback" : refused;
  const env = {
    ...process.env,
    ...more,
    WISP_TEST_CLIS: JSON.stringify(paths),
    WISP_TEST_NETWORK: network,
  };
  return spawnSync(executable, args, { stdio: "inherit", env, timeout: RUN_MS_MAX });
}

/** What fails with the newest versions is run again with the pinned ones: only what passes there has changed. */
async function compareNewest() {
  const newest = newestPackages(pinned);
  const failed = reported(await installAll(newest), rest);
  const files = [...new Set(failed.map(({ file }) => file))];
  const known = files.length === 0 ? [] : reported(await installAll(pinned), files);
  console.log(tableOf(pinned, newest, differences(failed, known)));
  return 0;
}

/** The tests that fail with the CLIs at these paths. */
function reported(paths, more) {
  const folder = mkdtempSync(join(tmpdir(), "wisp-"));
  const report = join(folder, "report.json");
  try {
    run(paths, more, { CI_TEST_REPORT: report });
    return failedTests(JSON.parse(readFileSync(report, "utf8")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Why this machine permits no network namespace, in a few words; undefined: it does. */
function whyRefused() {
  const { error, status, stderr } = spawnSync("unshare", [...ALONE, "true"], { encoding: "utf8" });
  if (error !== undefined) return error.code === "ENOENT" ? "there is no unshare" : error.message;
  return status === 0 ? undefined : stderr.trim().split("\n")[0];
}
