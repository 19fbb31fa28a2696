// `node test/machines/run.js [releases]`: whole sessions on roots of other Debian releases, each with its own git and bubblewrap,
// as root, as an ordinary user, and as a user whom the account database does not know. By command only, since it downloads
// some 150 MB a release; needs root, debootstrap and Linux.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The oldest with a new enough git, the one that most have, and the newest. */
const RELEASES = ["bullseye", "bookworm", "sid"];
const USERS = [
  ["root", []],
  ["an ordinary user", ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]],
  [
    "a user without an account",
    ["setpriv", "--reuid=42424", "--regid=42424", "--clear-groups", "--"],
  ],
];
const MS_MAX = 10 * 60_000;
const PACKAGES = "bubblewrap,git,procps,util-linux";
const ROOTS = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "wisp-test-roots");

/** What is said of the machine, and whether the demo is complete in a sandbox. */
const SESSION = `
  cd "$HOME" && git init -q project && cd project && wisp="node /opt/wisp/dist/wisp.js"
  echo "$(bwrap --version), $(git --version), user $(id -u)"
  $wisp doctor | grep bubblewrap
  $wisp demo >demo.txt 2>&1 || { tail -n 40 demo.txt; exit 1; }
  grep -h '"kind": "bubblewrap"' /tmp/wisp-demo-*/project/.wisp/sessions/*/session.json
  grep " is complete" demo.txt`;

if (process.geteuid?.() !== 0) throw new Error("only root can make such roots");
const named = process.argv.slice(2);
let failed = 0;
for (const release of named.length > 0 ? named : RELEASES) {
  const root = madeRoot(release);
  for (const [name, before] of USERS) tryOn(root, release, name, before);
}
process.exitCode = failed > 0 ? 1 : 0;

/** The folder with such a root, which is kept. One that was left half made is made anew. */
function madeRoot(release) {
  const root = join(ROOTS, release);
  if (existsSync(root)) return root;
  const half = `${root}.half`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  const words = ["--variant=minbase", `--include=${PACKAGES}`, release, half];
  const made = spawnSync("debootstrap", words, { stdio: ["ignore", "ignore", "inherit"] });
  if (made.status !== 0) throw new Error(`debootstrap of ${release} failed`);
  for (const folder of [".old", "opt/wisp"]) mkdirSync(join(half, folder), { recursive: true });
  writeFileSync(join(half, "usr/bin/node"), "");
  renameSync(half, root);
  return root;
}

/** Enters a root, with the machine's Node and this wisp in it, and a process namespace of its own, which ends with it. */
function within(root, command) {
  const script = `
    mount --make-rprivate /
    mount --bind "$root" "$root"
    mount --bind "$node" "$root/usr/bin/node"
    mount --bind "$wisp" "$root/opt/wisp"
    mount -t tmpfs -o mode=1777 tmp "$root/tmp"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    cd "$root"
    pivot_root . .old
    umount -l /.old
    exec env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin "$@"`;
  const spaces = ["--mount", "--pid", "--fork", "--kill-child"];
  const env = {
    ...process.env,
    root,
    node: process.execPath,
    wisp: join(import.meta.dirname, "../.."),
  };
  const words = [...spaces, "sh", "-eu", "-c", script, "-", ...command];
  return spawnSync("unshare", words, {
    env,
    encoding: "utf8",
    timeout: MS_MAX,
    killSignal: "SIGKILL",
  });
}

function tryOn(root, release, name, before) {
  const home = 'mkdir /tmp/home && chown "$1" /tmp/home && shift && exec "$@"';
  const [, id = "0"] = /--reuid=(\d+)/.exec(before.join(" ")) ?? [];
  const command = [
    "sh",
    "-c",
    home,
    "-",
    id,
    ...before,
    "env",
    "HOME=/tmp/home",
    "sh",
    "-euc",
    SESSION,
  ];
  const { status, stdout, stderr } = within(root, command);
  const isGood =
    status === 0 && /ok +bubblewrap works/.test(stdout) && stdout.includes('"kind": "bubblewrap"');
  if (!isGood) failed++;
  console.log(`${isGood ? "passed" : "FAILED"}  ${release}, ${name}: ${stdout.split("\n")[0]}`);
  if (!isGood) console.log(stdout, stderr);
}
