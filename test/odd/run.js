// `npm run test:odd -- [words for vitest]`: tests on a machine, for a person and in a shell with odd settings of git.
// Where the system permits, `/etc/gitconfig` and `/etc/gitattributes` are covered as well.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { oddFiles, oddVariables } from "./odd-settings.js";

/** Covers `/etc` with what is in the folder named first, where nobody else sees it; then the command that follows. */
const COVERED = `
set -e
mount -t tmpfs odd "$1/etc"
mkdir "$1/etc/over" "$1/etc/work"
cp "$1/config" "$1/etc/over/gitconfig"
cp "$1/attributes" "$1/etc/over/gitattributes"
mount -t overlay odd -o "lowerdir=/etc,upperdir=$1/etc/over,workdir=$1/etc/work" /etc
shift
exec "$@"`;

/** What uses much git, if nobody says otherwise. */
const FILES = ["test/git", "test/agents", "test/evidence", "test/work", "test/remote"];

const folder = mkdtempSync(join(tmpdir(), "wisp-odd-"));
try {
  process.exitCode = run(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(words) {
  for (const [path, text] of Object.entries(oddFiles(folder))) put(join(folder, path), text);
  mkdirSync(join(folder, "etc"));
  const home = oddHome();
  const refused = whyRefused();
  console.log(
    `odd settings: ${refused === undefined ? "all" : `none in /etc, because ${refused}`}`,
  );
  const vitest = ["npx", "vitest", "run", ...(words.length === 0 ? FILES : words)];
  const [program, ...rest] = refused === undefined ? [...covering(), ...vitest] : vitest;
  const env = {
    ...process.env,
    ...oddVariables(folder),
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
  };
  return spawnSync(program, rest, { stdio: "inherit", env }).status ?? 1;
}

/** The person's home, as links, with other settings of git. */
function oddHome() {
  const [home, real] = [join(folder, "home"), homedir()];
  mkdirSync(home);
  const kept = readdirSync(real).filter((name) => ![".gitconfig", ".config"].includes(name));
  for (const name of kept) symlinkSync(join(real, name), join(home, name));
  const files = oddFiles(folder);
  put(join(home, ".gitconfig"), files.config);
  for (const name of ["config", "attributes", "ignore"])
    put(join(home, ".config", "git", name), files[name]);
  return home;
}

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
}

function covering() {
  const user = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  return ["unshare", "--mount", ...user, "sh", "-c", COVERED, "-", folder];
}

/** Why `/etc` cannot be covered here, in a few words; undefined: it can. */
function whyRefused() {
  const [program, ...words] = [...covering(), "cmp", "/etc/gitconfig", join(folder, "config")];
  const { error, status, stderr } = spawnSync(program, words, { encoding: "utf8" });
  if (error !== undefined) return error.code === "ENOENT" ? "there is no unshare" : error.message;
  return status === 0 ? undefined : stderr.trim().split("\n")[0];
}
