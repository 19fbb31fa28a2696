import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The CLIs that the tests drive for real, each in the version that the adapters were measured with. Extra ones are
 * installed by `--extra` only: they are a gigabyte, and without them their tests are skipped, and counted.
 */
const PACKAGES = JSON.parse(readFileSync(new URL("clis.json", import.meta.url), "utf8"));
const INSTALL_MS_MAX = 4 * 60_000;
const ASK_MS_MAX = 60_000;

/** The pinned packages by CLI: `name`, `version`, and the version of Node that one needs which cannot use ours. */
export function pinnedPackages({ withExtra }) {
  const all = Object.entries(PACKAGES);
  return Object.fromEntries(all.filter(([, { isExtra = false }]) => withExtra || !isExtra));
}

/** The same in their newest versions; a CLI that is pinned to an old one on purpose stays so. */
export function newestPackages(packages) {
  const newest = Object.entries(packages).map(([cli, one]) => {
    const version = isOldOnPurpose(cli) ? one.version : newestVersion(one.name);
    return [cli, { ...one, version }];
  });
  return Object.fromEntries(newest);
}

function newestVersion(name) {
  const { status, stdout, stderr } = spawnSync("npm", ["view", name, "version"], {
    encoding: "utf8",
    timeout: ASK_MS_MAX,
  });
  const version = stdout.trim();
  if (status === 0 && version !== "") return version;
  throw new Error(`npm does not tell the newest version of ${name}: ${stderr.trim()}`);
}

/**
 * Installs what is not there yet, and says the versions. Returns the absolute path of each executable, in
 * a cache outside the repository: `${XDG_CACHE_HOME:-~/.cache}/wisp-test-engines/<cli>-<version>`.
 */
export async function installAll(packages) {
  const all = Object.entries(packages);
  // One after the other: each is some hundred megabytes.
  for (const [cli, one] of all) if (!existsSync(executableOf(cli, one))) await install(cli, one);
  console.log(
    `engines: ${all.map(([cli, { version }]) => `${nameOf(cli)} ${version}`).join(", ")}`,
  );
  return Object.fromEntries(all.map(([cli, one]) => [cli, executableOf(cli, one)]));
}

function isOldOnPurpose(cli) {
  return cli.endsWith("-old");
}

function executableOf(cli, one) {
  return join(directoryOf(cli, one), "node_modules", ".bin", nameOf(cli));
}

function nameOf(cli) {
  return cli.replace(/-old$/u, "");
}

function directoryOf(cli, { version }) {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return join(caches, "wisp-test-engines", `${nameOf(cli)}-${version}`);
}

async function install(cli, one) {
  const { name, version, node } = one;
  const directory = directoryOf(cli, one);
  // Made under another name first: an install that was cut off is not taken for a whole one.
  const draft = `${directory}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, "package.json"), `{"private":true}\n`);
  console.log(`installing ${name}@${version}`);
  // `npm run` hands the settings of this package on; a CLI is tried with the Node that wisp runs on all the same.
  const words = ["install", "--engine-strict=false", "--no-audit", "--no-fund", "--loglevel=error"];
  const wanted = [`${name}@${version}`, ...(node === undefined ? [] : [`node@${node}`])];
  const npm = spawn("npm", [...words, ...wanted], {
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
