import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  engineEnvironment,
  environmentIn,
  replacementIn,
  type InPlaceOfCheckout,
} from "../../../src/engines/run/environment-in.ts";
import { rebaseWords } from "../../../src/engines/run/rebase-environment.ts";
import { createNodeDirectories } from "../../../src/host/files/node-directories.ts";
import { createNodeFiles } from "../../../src/host/files/node-files.ts";
import { ownEnvironment } from "../../rig/own-environment.ts";

/** A checkout and a tree, each with these folders. */
class Places implements Disposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "wisp-environment-")));
  readonly checkout = join(this.root, "checkout");
  readonly tree = join(this.root, "state/tree");

  constructor(checkout: readonly string[], tree: readonly string[]) {
    for (const path of checkout) mkdirSync(join(this.checkout, path), { recursive: true });
    for (const path of tree) mkdirSync(join(this.tree, path), { recursive: true });
  }

  at(fields: Partial<InPlaceOfCheckout> = {}): InPlaceOfCheckout {
    return {
      ...{ files: createNodeFiles(), directories: createNodeDirectories() },
      ...{ checkout: this.checkout, folder: this.tree, state: [join(this.root, "state")] },
      home: undefined,
      ...fields,
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true });
  }
}

test("programs are searched last in a folder of the commit, and in order in one that setup made", () => {
  using at = new Places(["bin", ".venv/bin"], ["bin", ".venv/bin"]);
  const { checkout, tree } = at;
  const env = { PATH: `${checkout}/bin:${checkout}/.venv/bin:/usr/bin:/bin` };
  const made = [`${tree}/.venv/`];
  expect(environmentIn(env, at.at({ made }))).toEqual({
    PATH: `${tree}/.venv/bin:/usr/bin:/bin:${tree}/bin`,
  });
  expect(environmentIn(env, at.at())).toEqual({
    PATH: `/usr/bin:/bin:${tree}/bin:${tree}/.venv/bin`,
  });
});

test("paths of the other work trees of the repository are treated as those of the checkout", () => {
  using at = new Places(["src", ".trees/in/src"], ["src"]);
  const { root, checkout, tree } = at;
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.invalid", ...args], {
      ...{ cwd, env: ownEnvironment() },
    });
  git(checkout, "init", "-q", "-b", "main");
  git(checkout, "commit", "-q", "--allow-empty", "-m", "One");
  rmSync(join(checkout, ".trees"), { recursive: true });
  const inside = join(checkout, ".trees/in");
  const beside = join(root, "checkout-2");
  git(checkout, "worktree", "add", "-q", "-b", "in", inside);
  git(checkout, "worktree", "add", "-q", "-b", "beside", beside);
  for (const folder of [inside, beside]) mkdirSync(join(folder, "src"));
  for (const own of [checkout, inside, beside]) {
    const env = {
      PYTHONPATH: [checkout, inside, beside].map((folder) => `${folder}/src`).join(":"),
      NODE_PATH: `${inside}/node_modules:${beside}/node_modules`,
      SETTINGS: `{"a": "${inside}/src"}`,
      LIST: `${beside}/none:${root}/checkout-3/src`,
    };
    const there = at.at({ checkout: own });
    expect(environmentIn(env, there)).toEqual({
      PYTHONPATH: [tree, tree, tree].map((folder) => `${folder}/src`).join(":"),
      LIST: `${root}/checkout-3/src`,
    });
    expect(rebaseWords([`a="${inside}/src"`, `${beside}/x`], replacementIn(there))).toEqual([
      `a="${tree}/src"`,
      `${tree}/x`,
    ]);
    const allowed = at.at({ checkout: own, allowed: [join(beside, "none")] });
    expect(environmentIn({ LIST: env.LIST }, allowed)).toEqual({ LIST: env.LIST });
  }
});

test("a work tree in which the home is stays as it is", () => {
  using at = new Places(["bin"], []);
  const { root, checkout } = at;
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.invalid", ...args], {
      ...{ cwd: checkout, env: ownEnvironment() },
    });
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "One");
  const linked = join(root, "linked");
  git("worktree", "add", "-q", "-b", "linked", linked);
  const env = { PATH: `${checkout}/bin:/usr/bin` };
  expect(environmentIn(env, at.at({ checkout: linked, home: checkout }))).toEqual(env);
});

test("an environment of Python that only the checkout has is not active, and one beside it is", () => {
  using at = new Places([".venv/bin"], ["src"]);
  const { checkout, root } = at;
  mkdirSync(join(root, "venvs/shop/bin"), { recursive: true });
  const beside = { VIRTUAL_ENV: `${root}/venvs/shop`, PATH: `${root}/venvs/shop/bin:/usr/bin` };
  expect(environmentIn(beside, at.at())).toEqual(beside);
  const inside = { VIRTUAL_ENV: `${checkout}/.venv`, CONDA_PREFIX: `${checkout}/.venv` };
  expect(environmentIn(inside, at.at())).toEqual({});
});

test("links on both sides lead to the same place", () => {
  using at = new Places(["src"], ["src"]);
  const { root, checkout, tree } = at;
  symlinkSync(checkout, join(root, "shop"));
  const named = { PYTHONPATH: `${root}/shop/src:${checkout}/src` };
  const moved = { PYTHONPATH: `${tree}/src:${tree}/src` };
  expect(environmentIn(named, at.at())).toEqual(moved);
  expect(environmentIn(named, at.at({ checkout: join(root, "shop") }))).toEqual(moved);
});

test("where the checkout is the home, what the commit has not stays: tool chains are in it, too", () => {
  using at = new Places([".nvm/bin", "bin"], ["bin"]);
  const { checkout, tree } = at;
  const env = { HOME: checkout, NVM_DIR: `${checkout}/.nvm`, PATH: `${checkout}/.nvm/bin:/bin` };
  expect(environmentIn(env, at.at({ home: checkout }))).toEqual(env);
  const own = { PATH: `${checkout}/bin:/bin` };
  expect(environmentIn(own, at.at({ home: checkout }))).toEqual({ PATH: `/bin:${tree}/bin` });
});

test("a tree in a state directory in the checkout is not taken for the checkout", () => {
  using at = new Places([".state/tree/src", "src"], []);
  const folder = join(at.checkout, ".state/tree");
  const env = {
    PYTHONPATH: `${at.checkout}/src:${folder}/src`,
    TMPDIR: `${at.checkout}/.state/tmp`,
  };
  expect(environmentIn(env, at.at({ folder, state: [join(at.checkout, ".state")] }))).toEqual({
    PYTHONPATH: `${folder}/src:${folder}/src`,
    TMPDIR: `${at.checkout}/.state/tmp`,
  });
});

test("an engine keeps the variables by which its own files are found, and has the clone for all others", () => {
  using at = new Places([".codex", ".config", "src"], ["src"]);
  const { checkout, tree } = at;
  const env = {
    CODEX_HOME: `${checkout}/.codex`,
    XDG_CONFIG_HOME: `${checkout}/.config`,
    PYTHONPATH: `${checkout}/src`,
  };
  const { folder, ...rest } = at.at();
  const own = ["CODEX_*"];
  expect(engineEnvironment(env, { checkout: rest, folder, own })).toEqual({
    ...env,
    PYTHONPATH: `${tree}/src`,
  });
  expect(engineEnvironment(env, { checkout: undefined, folder, own })).toEqual(env);
});

const PACKAGES = "lib/python3.11/site-packages";

/** Files of an environment of Python, by what they are called; `C` in a text is the checkout. */
const EDITABLE: readonly (readonly [what: string, files: Readonly<Record<string, string>>])[] = [
  ["a path file", { "shop.pth": "# of a tool\nC/src\n" }],
  ["a path file with a program", { "shop.pth": "import sys; sys.path.insert(0, 'C/src')\n" }],
  ["a path file that counts from its folder", { "shop.pth": "../../../../checkout/src\n" }],
  ["an egg link", { "shop.egg-link": "C/src\n.\n" }],
  [
    "a finder of setuptools",
    {
      "__editable__.shop.pth":
        "import __editable___shop_finder; __editable___shop_finder.install()",
      "__editable___shop_finder.py": "MAPPING = {'shop': 'C/src/shop'}\nNAMESPACES = {}\n",
    },
  ],
  [
    "a finder that names modules",
    { "_shop_editable.py": `install({"shop": "C/src/shop/cart.py"})` },
  ],
  [
    "a record of pip",
    {
      "shop-0.1.dist-info/direct_url.json": `{"url": "file://C", "dir_info": {"editable": true}}`,
    },
  ],
];

test.each(EDITABLE)("an editable install by %s is loaded from the tree", (_, files) => {
  using at = new Places(["src/shop"], ["src/shop"]);
  const { root, checkout, tree } = at;
  for (const name of ["__init__.py", "cart.py"]) writeFileSync(join(tree, "src/shop", name), "");
  const environment = join(root, "venv");
  for (const [name, text] of Object.entries(files)) {
    const path = join(environment, PACKAGES, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replaceAll("C/", `${checkout}/`).replaceAll("//C", `//${checkout}`));
  }
  for (const env of [
    { VIRTUAL_ENV: environment },
    { CONDA_PREFIX: environment, PYTHONPATH: "/own" },
  ]) {
    const { PYTHONPATH: searched = "" } = environmentIn({ ...env }, at.at());
    const [first, ...rest] = searched.split(":");
    expect(first).toBe(`${tree}/src`);
    expect(rest).toEqual(expect.arrayContaining("PYTHONPATH" in env ? ["/own"] : []));
  }
});

test("an install of another project, and one that copied its files, change nothing", () => {
  using at = new Places(["src"], ["src"]);
  const packages = join(at.root, "venv", PACKAGES);
  mkdirSync(join(packages, "shop-0.1.dist-info"), { recursive: true });
  writeFileSync(join(packages, "other.pth"), `${at.root}/other/src\n${at.checkout}/none\n`);
  writeFileSync(
    join(packages, "shop-0.1.dist-info/direct_url.json"),
    `{"url": "file://${at.checkout}", "dir_info": {}}`,
  );
  const env = { VIRTUAL_ENV: join(at.root, "venv"), PYTHONPATH: "/own" };
  expect(environmentIn(env, at.at())).toEqual(env);
});

test("the environments of the first Python on PATH count, and those that a version manager chooses among", () => {
  using at = new Places(["src"], ["src"]);
  const { root, checkout, tree } = at;
  for (const prefix of ["venv", "pyenv/versions/3.11.7"]) {
    mkdirSync(join(root, prefix, PACKAGES), { recursive: true });
    writeFileSync(join(root, prefix, PACKAGES, "shop.pth"), `${checkout}/src\n`);
  }
  for (const folder of ["venv/bin", "pyenv/shims"]) {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, "python3"), "");
    const env = { PATH: `${join(root, folder)}:/nonexistent` };
    expect(environmentIn(env, at.at())).toEqual({ ...env, PYTHONPATH: `${tree}/src` });
  }
});
