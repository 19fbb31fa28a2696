// `npm run test:engines`: installs the CLIs, then runs the tests where there is no network but loopback.
import { spawnSync } from "node:child_process";
import { installAll } from "./install.js";

const VITEST = ["npx", "vitest", "run", "--mode", "engines"];
/** Words of the command line go to vitest: `npm run test:engines -- -t claude`. */
const [npx, ...words] = [...VITEST, ...process.argv.slice(2)];

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

const paths = await installAll();
const refused = whyRefused();
console.log(refused === undefined ? "network: loopback only" : `network: open, because ${refused}`);
const { status } =
  refused === undefined ? start("unshare", [...ALONE, npx, ...words]) : start(npx, words);
process.exitCode = status ?? 1;

function start(executable, args) {
  const network = refused === undefined ? "loopback" : refused;
  const env = {
    ...process.env,
    WISP_TEST_CLIS: JSON.stringify(paths),
    WISP_TEST_NETWORK: network,
  };
  return spawnSync(executable, args, { stdio: "inherit", env, timeout: RUN_MS_MAX });
}

/** Why this machine permits no network namespace, in a few words; undefined: it does. */
function whyRefused() {
  const { error, status, stderr } = spawnSync("unshare", [...ALONE, "true"], { encoding: "utf8" });
  if (error !== undefined) return error.code === "ENOENT" ? "there is no unshare" : error.message;
  return status === 0 ? undefined : stderr.trim().split("\n")[0];
}
