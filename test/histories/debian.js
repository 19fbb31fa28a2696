// What is read from Debian: series of patches and what their tests require, as apt verifies it by Debian's own keys. Nothing
// is installed, nobody has to be root, and the machine's own list of sources is not used.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const RELEASE = "bookworm";
const KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg";
const PYTHON = "/usr/bin/python3";
const PROGRAMS = ["apt-get", "dpkg-source", "dpkg-deb", "patch", PYTHON];
const APT_MS_MAX = 3 * 60_000;
const PRINTED_BYTES_MAX = 1 << 26;

/** Without them `python3 -m pytest` does not start, or the tests of the series do not. */
const PYTEST_PACKAGES = [
  "python3-pytest",
  "python3-attr",
  "python3-iniconfig",
  "python3-packaging",
  "python3-pluggy",
  "python3-markupsafe",
];

/** Why steps from Debian cannot be tried here. */
export class NoDebian extends Error {}

/** Unpacks a source package with its first patches, once, and returns where. */
export function unpackSeries(folder, name, count) {
  const source = sourceOf(folder, name);
  const to = join(folder, "releases", `deb:${name}@${count}`);
  if (existsSync(to)) return to;
  const half = `${to}.half-${process.pid}`;
  mkdirSync(join(folder, "releases"), { recursive: true });
  cpSync(source, half, { recursive: true, filter: (path) => path !== join(source, "debian") });
  for (const patch of seriesOf(source).slice(0, Number(count)))
    execFileSync("patch", ["-p1", "-s", "--no-backup-if-mismatch", "-i", patch], { cwd: half });
  renameSync(half, to);
  return to;
}

/** What the patch with this number says of itself, counted from one. */
export function wordsOfPatch(folder, name, number) {
  const text = readFileSync(seriesOf(sourceOf(folder, name))[Number(number) - 1], "utf8");
  const [head] = text.split(/^(?:---|diff )/mu);
  const words = head.replace(/^(?:Subject|Description): *(?:\[PATCH[^\]]*\] *)?/gmu, "");
  return words.replace(/^(?:From|Commit)? ?[\w-]*(?::| [\da-f]{40}\b).*\n/gmu, "").trim();
}

/** Unpacks pytest for Debian's Python, once, and returns a folder with `bin/pytest`, as in a virtual environment. */
export function installPytest(folder) {
  const to = join(folder, "tools", "pytest");
  if (existsSync(to)) return to;
  const half = `${to}.half-${process.pid}`;
  const packs = madeFolder(folder, "packs", "pytest");
  apt(folder, packs, "download", ...PYTEST_PACKAGES);
  mkdirSync(join(half, "bin"), { recursive: true });
  for (const pack of readdirSync(packs))
    execFileSync("dpkg-deb", ["-x", join(packs, pack), half], { stdio: "pipe" });
  const program = join(half, "bin", "pytest");
  writeFileSync(
    program,
    `#!${PYTHON}\nimport os, sys\nhome = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))\nsys.path.insert(0, home + "/usr/lib/python3/dist-packages")\nimport pytest\nsys.exit(pytest.main())\n`,
  );
  chmodSync(program, 0o755);
  renameSync(half, to);
  return to;
}

/** The unpacked source package, no patch applied. */
function sourceOf(folder, name) {
  const to = join(folder, "debian", name);
  if (existsSync(to)) return to;
  const packs = madeFolder(folder, "packs", `deb:${name}`);
  apt(folder, packs, "source", "--download-only", name);
  const description = readdirSync(packs).find((file) => file.endsWith(".dsc"));
  mkdirSync(join(folder, "debian"), { recursive: true });
  const half = `${to}.half-${process.pid}`;
  // apt has verified it.
  const words = ["--no-check", "--skip-patches", "-x", join(packs, description), half];
  execFileSync("dpkg-source", words, { stdio: "pipe" });
  renameSync(half, to);
  return to;
}

function seriesOf(source) {
  const patches = join(source, "debian", "patches");
  const lines = readFileSync(join(patches, "series"), "utf8").split("\n");
  return lines.flatMap((line) => (/^[^\s#]/u.test(line) ? [join(patches, line.trim())] : []));
}

/** A folder of its own, so that what an earlier attempt left is not taken for this one's. */
function madeFolder(folder, ...names) {
  const parent = join(folder, ...names);
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, "from-"));
}

/** apt with lists, a cache and sources of its own; the lists are fetched first, once. */
function apt(folder, cwd, ...words) {
  const missing = [...PROGRAMS, KEYS].filter((what) => !isHere(what));
  if (missing.length > 0) throw new NoDebian(`${missing.join(", ")}: not here`);
  const home = join(folder, "apt");
  const lists = join(home, "lists");
  const fetchedOnce = join(home, "fetched");
  for (const name of ["lists/partial", "cache/archives/partial", "parts"])
    mkdirSync(join(home, name), { recursive: true });
  const [main, security] = [mirror(/\/debian\/?$/u), mirror(/\/debian-security\/?$/u)];
  const from = [`${main} ${RELEASE}`, `${security} ${RELEASE}-security`];
  const sources = ["deb", "deb-src"].flatMap((kind) =>
    from.map((one) => `${kind} [signed-by=${KEYS}] ${one} main\n`),
  );
  writeFileSync(join(home, "sources.list"), sources.join(""));
  writeFileSync(join(home, "status"), "");
  const options = [
    `Dir::Etc::SourceList=${join(home, "sources.list")}`,
    `Dir::Etc::SourceParts=${join(home, "parts")}`,
    `Dir::State::Lists=${lists}`,
    `Dir::Cache=${join(home, "cache")}`,
    // What the machine has installed, and prefers, is no concern of these packages.
    `Dir::State::status=${join(home, "status")}`,
    `Dir::Etc::PreferencesParts=${join(home, "parts")}`,
    "APT::Sandbox::User=",
    "APT::Update::Error-Mode=any",
  ].flatMap((option) => ["-o", option]);
  if (!existsSync(fetchedOnce)) fetched(cwd, [...options, "update"]);
  writeFileSync(fetchedOnce, "");
  fetched(cwd, [...options, ...words]);
}

/** Where this machine has its packages of Debian from. */
function mirror(wanted) {
  const words = ["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"];
  const found = execFileSync("apt-get", words, { encoding: "utf8" })
    .split("\n")
    .find((uri) => wanted.test(uri));
  if (found === undefined) throw new NoDebian("apt names no mirror of Debian");
  return found;
}

function fetched(cwd, words) {
  const options = { cwd, encoding: "utf8", timeout: APT_MS_MAX, maxBuffer: PRINTED_BYTES_MAX };
  const { status, stderr } = spawnSync("apt-get", ["-q", ...words], options);
  if (status === 0) return;
  const [first = "it did not end in time"] = stderr.split("\n").filter((line) => /^E:/u.test(line));
  throw new NoDebian(`apt-get ${words.at(-1)}: ${first}`);
}

function isHere(what) {
  if (what.includes("/")) return existsSync(what);
  return (process.env.PATH ?? "").split(":").some((place) => existsSync(join(place, what)));
}
