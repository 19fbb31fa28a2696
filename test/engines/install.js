import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The CLIs that are driven for real, each in the version that the adapters were measured with. */
const PACKAGES = JSON.parse(readFileSync(new URL("clis.json", import.meta.url), "utf8"));
const INSTALL_MS_MAX = 4 * 60_000;

/**
 * Installs what is not there yet, and says the versions. Returns the absolute path of each executable, in
 * a cache outside the repository: `${XDG_CACHE_HOME:-~/.cache}/wisp-test-engines/<cli>-<version>`.
 */
export async function installAll() {
  const clis = Object.keys(PACKAGES);
  // One after the other: each is some hundred megabytes.
  for (const cli of clis) if (!existsSync(executableOf(cli))) await install(cli);
  console.log(
    `engines: ${clis.map((cli) => `${nameOf(cli)} ${PACKAGES[cli].version}`).join(", ")}`,
  );
  return Object.fromEntries(clis.map((cli) => [cli, executableOf(cli)]));
}

function executableOf(cli) {
  return join(directoryOf(cli), "node_modules", ".bin", nameOf(cli));
}

function nameOf(cli) {
  return cli.replace(/-old$/u, "");
}

function directoryOf(cli) {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(caches, "wisp-test-engines", `${nameOf(cli)}-${PACKAGES[cli].version}`);
}

async function install(cli) {
  const { name, version } = PACKAGES[cli];
  const directory = directoryOf(cli);
  // Made under another name first: an install that was cut off is not taken for a whole one.
  const draft = `${directory}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, "package.json"), `{"private":true}\n`);
  console.log(`installing ${name}@${version}`);
  // `npm run` hands the settings of this package on; a CLI is tried with the Node that wisp runs on all the same.
  const words = ["install", "--engine-strict=false", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = spawn("npm", [...words, `${name}@${version}`], {
    cwd: draft,
    stdio: "inherit",
    timeout: INSTALL_MS_MAX,
  });
  const code = await new Promise((resolve, reject) => {
    npm.once("error", reject);
    npm.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`npm could not install ${name}@${version}`);
  rmSync(directory, { recursive: true, force: true });
  renameSync(draft, directory);
}
