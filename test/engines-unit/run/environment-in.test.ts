import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  engineEnvironment,
  environmentIn,
  type InPlaceOfCheckout,
} from "../../../src/engines/run/environment-in.ts";
import { createNodeDirectories } from "../../../src/host/files/node-directories.ts";
import { createNodeFiles } from "../../../src/host/files/node-files.ts";

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
