import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Clone } from "../../src/base/ports/repo.ts";
import { driversIn } from "../../src/git/repository/filter-drivers.ts";
import { withheldFilters } from "../../src/work/unfiltered.ts";
import { BRANCH, createRig, type Rig, value, write } from "./rig.ts";

const hasGitCrypt = spawnSync("git-crypt", ["--version"]).status === 0;

/** A repository with a filter of its own, one encrypted path and one file on it. */
function stripped(rig: Rig): void {
  const { hub } = rig;
  const git = (args: readonly string[]) => rig.git(args);
  git(["config", "filter.strip.clean", "sed /secret/d"]);
  git(["config", "filter.strip.required", "true"]);
  write(join(hub.directory, ".gitattributes"), "*.nb filter=strip\n");
  write(join(hub.directory, "old.nb"), "cell\nsecret\n");
  git(["add", "-A"]);
  git(["commit", "-qm", "Strip"]);
  git(["branch", "-f", BRANCH]);
}

/** Makes a commit in a clone as an engine does, and tells what wisp says to it. */
async function judged(rig: Rig, clone: Clone, make: (git: Rig["git"]) => void) {
  const at = value(await clone.head());
  make((args) => rig.git(args, clone.directory));
  const head = value(await clone.head());
  const names = withheldFilters({ filters: undefined, sandbox: undefined }, await driversOf(rig));
  const range = { base: at, onto: at, head };
  const found = value(await clone.unfiltered(range, names));
  return found.map(({ path, filter }) => `${path} ${filter}`);
}

async function driversOf({ hub }: Rig) {
  return value(await hub.filters(false));
}

function put(clone: Clone, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) write(join(clone.directory, path), text);
}

const COMMIT = ["commit", "-qam", "Change"];

describe("a file that a filter of the repository alone is to run on", () => {
  test("is named if it is added or changed, and others are not", async () => {
    using rig = createRig();
    stripped(rig);
    const clone = await rig.clone("builder");
    const found = await judged(rig, clone, (git) => {
      put(clone, { "new.nb": "cell\nsecret\n", "old.nb": "cell\nmore\n", "note.txt": "secret\n" });
      git(["add", "-A"]);
      git(COMMIT);
    });
    expect(found).toEqual(["new.nb strip", "old.nb strip"]);
  });

  test("is named in a commit that also removes the attribute, before or after", async () => {
    using rig = createRig();
    stripped(rig);
    const clone = await rig.clone("builder");
    const found = await judged(rig, clone, (git) => {
      put(clone, { ".gitattributes": "", "new.nb": "secret\n" });
      git(["add", "-A"]);
      git(COMMIT);
      put(clone, { "two.nb": "secret\n" });
      git(["add", "-A"]);
      git(COMMIT);
    });
    expect(found).toEqual(["new.nb strip", "two.nb strip"]);
  });

  test("is named by an attribute that the range itself brings, wherever it stands, even if it goes again", async () => {
    using rig = createRig();
    stripped(rig);
    const clone = await rig.clone("builder");
    const found = await judged(rig, clone, (git) => {
      put(clone, { "deep/a.key": "secret\n" });
      git(["add", "-A"]);
      git(COMMIT);
      put(clone, { "deep/.gitattributes": "*.key filter=strip\n" });
      git(["add", "-A"]);
      git(COMMIT);
      git(["rm", "-q", "deep/.gitattributes", "deep/a.key"]);
      git(COMMIT);
    });
    expect(found).toEqual(["deep/a.key strip"]);
  });

  test("is named by the person's own attributes, with macros of theirs", async () => {
    using rig = createRig();
    stripped(rig);
    write(join(rig.root, "home", ".config", "git", "attributes"), "[attr]own filter=strip\n");
    write(join(rig.hub.directory, ".git", "info", "attributes"), "*.pem filter=strip\n");
    const clone = await rig.clone("builder");
    const found = await judged(rig, clone, (git) => {
      put(clone, {
        ".gitattributes": "*.own own\n",
        "a.own": "1\n",
        "b.pem": "2\n",
        "c.txt": "3\n",
      });
      git(["add", "-A"]);
      git(COMMIT);
    });
    expect(found).toEqual(["a.own strip", "b.pem strip"]);
  });

  test("is not named if it is moved, deleted, made executable, or put back", async () => {
    using rig = createRig();
    stripped(rig);
    write(join(rig.hub.directory, "more.nb"), "cell\nother\n");
    rig.git(["add", "-A"]);
    rig.git(["commit", "-qm", "More"]);
    rig.git(["branch", "-f", BRANCH]);
    const clone = await rig.clone("builder");
    const found = await judged(rig, clone, (git) => {
      git(["mv", "old.nb", "moved.nb"]);
      git(["update-index", "--chmod=+x", "moved.nb"]);
      git(["rm", "-q", "more.nb"]);
      git(["commit", "-qm", "Move"]);
    });
    expect(found).toEqual([]);
  });

  test("is named whatever bytes its name has", async () => {
    using rig = createRig();
    stripped(rig);
    const clone = await rig.clone("builder");
    const found = await judged(rig, clone, (git) => {
      put(clone, { 'über\n"x" :(top).nb': "secret\n" });
      git(["add", "-A"]);
      git(COMMIT);
    });
    expect(found).toEqual(['über\n"x" :(top).nb strip']);
  });

  test("is not named if nothing defines the filter: git stores it like that in the checkout, too", async () => {
    using rig = createRig();
    stripped(rig);
    const clone = await rig.clone("builder");
    const found = await judged(rig, clone, (git) => {
      put(clone, { ".gitattributes": "*.nb filter=strip\n*.dat filter=gone\n", "a.dat": "x\n" });
      git(["add", "-A"]);
      git(COMMIT);
    });
    expect(found).toEqual([]);
  });

  test("leaves nothing behind in clone or repository", async () => {
    using rig = createRig();
    stripped(rig);
    const clone = await rig.clone("builder");
    const before = readdirSync(join(rig.hub.directory, ".git"));
    const make = (git: Rig["git"]) => {
      put(clone, { "new.nb": "secret\n" });
      git(["add", "-A"]);
      git(COMMIT);
    };
    expect(await judged(rig, clone, make)).toHaveLength(1);
    expect(readdirSync(join(rig.hub.directory, ".git"))).toEqual(before);
    expect(readdirSync(join(clone.directory, ".git")).join()).not.toContain("attributes-index");
  });

  test.runIf(hasGitCrypt)("is named with git-crypt; what is encrypted stays as it is", async () => {
    using rig = createRig();
    const { hub } = rig;
    const git = (args: readonly string[]) => rig.git(args);
    const crypt = { cwd: hub.directory, env: rig.context.environment };
    execFileSync("git-crypt", ["init"], { ...crypt, stdio: "ignore" });
    const attributes = "secrets/** filter=git-crypt diff=git-crypt\n";
    write(join(hub.directory, ".gitattributes"), attributes);
    write(join(hub.directory, "secrets", "old.txt"), "OLD\n");
    git(["add", "-A"]);
    git(["commit", "-qm", "Encrypt"]);
    git(["branch", "-f", BRANCH]);
    expect(git(["cat-file", "blob", "HEAD:secrets/old.txt"])).toContain("GITCRYPT");
    const clone = await rig.clone("builder");
    const found = await judged(rig, clone, (inClone) => {
      put(clone, { "secrets/new.txt": "NEW-PLAINTEXT-SECRET\n", "open.txt": "open\n" });
      inClone(["mv", "secrets/old.txt", "secrets/older.txt"]);
      inClone(["add", "-A"]);
      inClone(COMMIT);
    });
    expect(found).toEqual(["secrets/new.txt git-crypt"]);
  });
});

describe("filters that agents have", () => {
  const listed = (...entries: readonly (readonly [string, string, string])[]) =>
    driversIn(entries.map(([scope, key, text]) => `${scope}\0${key}\n${text}\0`).join(""));

  test("are those whose commands are the person's own, unless the repository says otherwise", () => {
    const drivers = listed(
      ["system", "filter.of-machine.clean", "a"],
      ["global", "filter.lfs.clean", "git-lfs clean -- %f"],
      ["global", "filter.lfs.process", "git-lfs filter-process"],
      ["global", "filter.own.clean", "b"],
      ["global", "filter.other.clean", "b"],
      ["local", "filter.lfs.process", "git-lfs filter-process --skip"],
      ["local", "filter.other.clean", "c"],
      ["local", "filter.repo.clean", "d"],
      ["local", "filter.only.required", "true"],
      ["local", "filter.out.smudge", "e"],
      ["local", "wisp.filter", "known"],
    );
    expect(drivers).toEqual({
      defined: ["of-machine", "lfs", "own", "other", "repo", "only", "known"],
      ofPerson: ["lfs", "own"],
      ofMachine: ["of-machine", "lfs", "own"],
    });
    const of = (kind: "none" | "container", allowed: readonly string[] = []) =>
      withheldFilters(
        {
          filters: { defined: ["before"], allowed: [...allowed] },
          sandbox: { ...SANDBOX, kind },
        },
        drivers,
      );
    expect(of("none")).toEqual(["before", "other", "repo", "only", "known"]);
    expect(of("none", ["repo", "known"])).toEqual(["before", "other", "only"]);
    expect(of("container")).toEqual(["before", "of-machine", "other", "repo", "only", "known"]);
  });

  test("lack those whose names sandboxes leave out as secret", () => {
    const drivers = listed(["global", "filter.my-secret.clean", "a"]);
    const of = (kind: "none" | "bubblewrap") =>
      withheldFilters({ filters: undefined, sandbox: { ...SANDBOX, kind } }, drivers);
    expect(of("none")).toEqual([]);
    expect(of("bubblewrap")).toEqual(["my-secret"]);
  });
});

const SANDBOX = {
  kind: "none" as const,
  network: true,
  commands: true,
  deny: [],
  allow: [],
  write: [],
  domains: [],
};
