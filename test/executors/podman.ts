import { execFileSync, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runsHere } from "../rig/runs-here.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

/** What the image holds of this machine's programs, besides a shell. */
/** Without which no session runs in a container. A shell has more words of its own. */
export const LEAST = [
  ...[
    "sh",
    "cat",
    "chmod",
    "chown",
    "dirname",
    "find",
    "git",
    "grep",
    "gzip",
    "head",
    "id",
    "mkdir",
  ],
  ...["mv", "rm", "sed", "setsid", "sleep", "tail", "tar", "tr", "uname", "wc"],
];
/** Programs that git runs by their names. */
const OF_GIT = ["git-receive-pack", "git-upload-pack"];
const MORE = [
  ...["cp", "date", "dd", "env", "flock", "ls", "mktemp", "node", "ps", "sort", "stat", "test"],
  ...["touch", "true", "xargs"],
];
const PROGRAMS = [...LEAST, ...OF_GIT, ...MORE];

/** The image of the tests, as its own user, who is not root, and as root. */
export const IMAGES = { ordinary: "localhost/wisp-ordinary", root: "localhost/wisp-root" };

/** A podman with storage of its own, below one temporary folder. */
export interface Podman {
  readonly env: Readonly<Record<string, string>>;
  /** What one of its commands prints. Throws if it fails. */
  readonly say: (...words: readonly string[]) => string;
  /** Makes an image for an ordinary user in which there is no Node, nor anything else but `LEAST`, and returns its name. */
  readonly makeLeastImage: () => string;
  /** Removes everything that it holds, and its storage. */
  readonly close: () => Promise<void>;
}

const isRoot = process.geteuid?.() === 0;

/** Why there can be no containers here, if so. */
export const NO_PODMAN = !["podman", "runc", "conmon"].every((name) =>
  runsHere([name, "--version"]),
)
  ? "skipped: podman, runc or conmon is not here"
  : !isRoot && spawnSync("sh", ["-c", "command -v newuidmap"]).status !== 0
    ? "skipped: without root, podman needs newuidmap"
    : undefined;

/** Whether the kernel lets podman limit what a container uses. */
export const CAN_LIMIT =
  spawnSync("sh", [
    ...[
      "-c",
      "grep -qw memory /proc/cgroups && grep -q cgroup /proc/mounts && test -w /sys/fs/cgroup",
    ],
  ]).status === 0;

/** Opens a podman, and makes the images in it from this machine's own programs: no registry is asked. */
export async function openPodman(): Promise<Podman> {
  const folder = await mkdtemp(join(tmpdir(), "wisp-podman-"));
  const env = await configure(folder);
  const say = (...words: readonly string[]) =>
    execFileSync("podman", words, { env, encoding: "utf8", maxBuffer: 1e9 });
  await makeTree(join(folder, "tree"));
  const importTree = (user: string, image: string, ...without: readonly string[]) => {
    const left = without.map((path) => `--exclude=${path}`);
    const words = ["-C", join(folder, "tree"), ...left, "-c", "."];
    const tar = execFileSync("tar", words, { maxBuffer: 1e9 });
    const into = ["import", "--change", `USER ${user}`, "-", image];
    execFileSync("podman", into, { env, input: tar, stdio: ["pipe", "ignore", "ignore"] });
  };
  importTree("1000:1000", IMAGES.ordinary);
  importTree("0:0", IMAGES.root);
  return {
    ...{ env, say },
    makeLeastImage: () => {
      const image = "localhost/wisp-least";
      importTree("1000:1000", image, ...MORE.map((name) => `./bin/${name}`));
      return image;
    },
    close: async () => {
      say("rm", "--all", "--force", "--time", "0");
      say("volume", "prune", "--force");
      // Without root, the files there belong to users that only podman can become.
      if (!isRoot) spawnSync("podman", ["unshare", "rm", "-rf", join(folder, "storage")], { env });
      spawnSync("umount", [join(folder, "storage", "overlay")], { stdio: "ignore" });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Where podman keeps what, all of it below the folder, and what of it works without systemd. */
async function configure(folder: string): Promise<Readonly<Record<string, string>>> {
  const at = (name: string) => JSON.stringify(join(folder, name));
  const containers = `
[containers]
default_ulimits = []
netns = "none"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = ${at("tmp")}
static_dir = ${at("static")}
volume_path = ${at("volumes")}
[network]
network_config_dir = ${at("networks")}
`;
  const storage = `
[storage]
driver = "overlay"
graphroot = ${at("storage")}
runroot = ${at("run")}
`;
  await writeFile(join(folder, "containers.conf"), containers);
  await writeFile(join(folder, "storage.conf"), storage);
  return {
    ...ownEnvironment({ HOME: homedir() }),
    CONTAINERS_CONF: join(folder, "containers.conf"),
    CONTAINERS_STORAGE_CONF: join(folder, "storage.conf"),
  };
}

/** Copies programs of this machine into a tree, with the libraries that they load. */
async function makeTree(tree: string): Promise<void> {
  for (const name of ["bin", "etc", "tmp", "usr"]) {
    await mkdir(join(tree, name), { recursive: true });
  }
  execFileSync("chmod", ["1777", join(tree, "tmp")]);
  await writeFile(
    join(tree, "etc/passwd"),
    "root:x:0:0::/:/bin/sh\nag:x:1000:1000::/tmp:/bin/sh\n",
  );
  await writeFile(join(tree, "etc/group"), "root:x:0:\nag:x:1000:\n");
  const files = new Map<string, string>();
  for (const name of PROGRAMS) {
    const found = execFileSync("sh", [
      "-c",
      'unalias -a; command -v "/usr/bin/$1" || command -v "/bin/$1"',
      "sh",
      name,
    ]);
    const program = await realpath(found.toString().trim());
    files.set(`bin/${name}`, program);
    for (const library of librariesOf(program)) files.set(library, await realpath(library));
  }
  for (const [to, from] of files) {
    await mkdir(dirname(join(tree, to)), { recursive: true });
    await cp(from, join(tree, to));
  }
}

/** The absolute paths of what `ldd` lists; nothing for a program that loads nothing. */
function librariesOf(program: string): readonly string[] {
  const { stdout } = spawnSync("ldd", [program], { encoding: "utf8" });
  return stdout.match(/\/\S+/g)?.filter((path) => !path.endsWith(":")) ?? [];
}
