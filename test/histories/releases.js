// What is read from npm: releases by exact version and integrity, and what their tests require, by a lock file.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const HERE = import.meta.dirname;
const INTEGRITY = JSON.parse(readFileSync(join(HERE, "integrity.json"), "utf8"));
const NPM_MS_MAX = 5 * 60_000;

/** Unpacks a release below `folder`, once, and returns where. */
export function unpack(folder, name, version) {
  const release = `${name}@${version}`;
  const to = join(folder, "releases", release);
  if (existsSync(to)) return to;
  const expected = INTEGRITY[release];
  if (expected === undefined) throw new Error(`integrity.json has no ${release}`);
  const packs = join(folder, "packs", release);
  mkdirSync(packs, { recursive: true });
  const [{ filename }] = JSON.parse(npm(packs, "pack", "--json", release));
  const pack = join(packs, filename);
  const sum = `sha512-${createHash("sha512").update(readFileSync(pack)).digest("base64")}`;
  if (sum !== expected) throw new Error(`${release} is not what integrity.json says: ${sum}`);
  mkdirSync(to, { recursive: true });
  execFileSync("tar", ["-xzf", pack, "-C", to, "--strip-components=1"]);
  return to;
}

/** Installs what tests require, once, and returns the folder of modules. */
export function install(folder, tools) {
  const to = join(folder, "tools", tools);
  const modules = join(to, "node_modules");
  if (existsSync(modules)) return modules;
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(HERE, "tools", tools), to, { recursive: true });
  npm(to, "ci", "--ignore-scripts", "--no-audit", "--no-fund");
  return modules;
}

function npm(cwd, ...args) {
  return execFileSync("npm", args, { cwd, encoding: "utf8", timeout: NPM_MS_MAX });
}
