import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { MACHINE_PATH } from "../../rig/own-environment.ts";
import { putFiles, SANDBOXES, TreeRig, type Tree } from "./tree-rig.ts";

const NODE = process.execPath;
const PATH = MACHINE_PATH;

const sum = (sign: "+" | "-") => `def add(a, b):\n    return a ${sign} b\n`;
/** A project with a src layout and no lock file. */
const SHOP: Tree = {
  ".gitignore": ".venv/\n",
  "pyproject.toml": '[project]\nname = "shop"\nversion = "0.1"\n',
  "src/shop/__init__.py": sum("+"),
  "tests/test_shop.py":
    "import unittest, shop\nprint('imported from', shop.__file__)\n" +
    "class Sums(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(shop.add(1, 2), 3)\n",
};
const UNITTEST = [["python3", "-m", "unittest", "discover", "-s", "tests"]];

/** A virtual environment. */
function venv(folder: string): void {
  execFileSync("python3", ["-m", "venv", "--without-pip", "--system-site-packages", folder]);
}

/** The folder of an environment in which packages are installed. */
function packagesOf(environment: string): string {
  const [python = ""] = readdirSync(join(environment, "lib"));
  return join(environment, "lib", python, "site-packages");
}

/** The ways in which the checkout is installed so that changes in it count at once. */
const INSTALLS = [
  { by: "a path", files: (checkout: string) => ({ "shop.pth": `${join(checkout, "src")}\n` }) },
  {
    by: "a finder of setuptools",
    files: (checkout: string) => ({
      "__editable__.shop-0.1.pth":
        "import __editable___shop_0_1_finder; __editable___shop_0_1_finder.install()\n",
      "__editable___shop_0_1_finder.py": `import importlib.util, sys
MAPPING = {'shop': '${join(checkout, "src/shop")}'}
class _EditableFinder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name in MAPPING:
            return importlib.util.spec_from_file_location(name, MAPPING[name] + "/__init__.py")
def install():
    sys.meta_path.append(_EditableFinder)
`,
    }),
  },
  {
    by: "a link",
    files: () => ({}),
    link: (checkout: string) => ["shop", join(checkout, "src/shop")] as const,
  },
] as const;

interface Place {
  readonly place: string;
  /** The folder of the environment; absent: only PYTHONPATH leads to the checkout. */
  readonly folder: (checkout: string) => string;
}
const PLACES: readonly Place[] = [
  { place: "in the checkout", folder: (checkout) => join(checkout, ".venv") },
  { place: "beside it", folder: (checkout) => join(dirname(checkout), "venvs/shop") },
];

/** Judges a commit that keeps the sum right, and one that breaks it. */
async function judge(rig: TreeRig, right: Tree, wrong: Tree) {
  const good = await rig.verify(await rig.commit(right, "Keep"));
  const bad = await rig.verify(await rig.commit(wrong, "Break"));
  return { good: good.outcome, bad: bad.outcome, printed: good.printed + bad.printed };
}

describe.each(SANDBOXES)("with $sandbox", ({ bwrap, isThere }) => {
  describe.each(PLACES)("an environment of Python $place", ({ folder }) => {
    test.skipIf(!isThere).each(INSTALLS)(
      "that has the checkout by $by does not make a broken commit green",
      async (install) => {
        using rig = new TreeRig(
          bwrap,
          { verify: UNITTEST },
          {
            files: SHOP,
            env: (checkout) => ({
              VIRTUAL_ENV: folder(checkout),
              PATH: `${join(folder(checkout), "bin")}:${PATH}`,
            }),
          },
        );
        const { repository } = rig.rig.session;
        venv(folder(repository));
        const packages = packagesOf(folder(repository));
        putFiles(packages, install.files(repository));
        if ("link" in install) {
          const [name, target] = install.link(repository);
          symlinkSync(target, join(packages, name));
        }
        const { good, bad, printed } = await judge(
          rig,
          { "README.md": "# shop\n" },
          { "src/shop/__init__.py": sum("-") },
        );
        expect(printed).toContain(`imported from ${join(rig.tree, "src/shop/__init__.py")}`);
        expect([good, bad]).toEqual(["passed", "failed"]);
        // What the person has not committed says nothing about a commit.
        putFiles(repository, { "src/shop/__init__.py": sum("-") });
        const again = await rig.commit({ "src/shop/__init__.py": sum("+"), a: "" });
        expect(await rig.verify(again)).toMatchObject({ outcome: "passed" });
      },
    );
  });

  test.skipIf(!isThere)(
    "a PYTHONPATH into the checkout leads to the same folder of the commit",
    async () => {
      using rig = new TreeRig(
        bwrap,
        { verify: UNITTEST },
        { files: SHOP, env: (checkout) => ({ PYTHONPATH: join(checkout, "src") }) },
      );
      const wrong = { "src/shop/__init__.py": sum("-") };
      const { good, bad, printed } = await judge(rig, { "README.md": "# shop\n" }, wrong);
      expect(printed).not.toContain(`imported from ${rig.rig.session.repository}`);
      expect([good, bad]).toEqual(["passed", "failed"]);
    },
  );

  test.skipIf(!isThere)(
    "a NODE_PATH into the checkout leads to the same folder of the commit",
    async () => {
      const code = (sign: "+" | "-") => ({
        "lib/cart.js": `exports.add = (a, b) => a ${sign} b;\n`,
      });
      using rig = new TreeRig(
        bwrap,
        { verify: [[NODE, "check.js"]], commands: { env: ["NODE_PATH"] } },
        {
          files: {
            ...code("+"),
            "check.js": `process.exit(require("cart").add(1, 2) === 3 ? 0 : 1);\n`,
          },
          env: (checkout) => ({ NODE_PATH: join(checkout, "lib") }),
        },
      );
      const { good, bad } = await judge(rig, { "README.md": "# cart\n" }, code("-"));
      expect([good, bad]).toEqual(["passed", "failed"]);
    },
  );

  test.skipIf(!isThere)(
    "a word of verify that names a file of the checkout means the commit's file",
    async () => {
      using rig = new TreeRig(bwrap, {}, { files: { "check.sh": "exit 0\n" } });
      const { session } = rig.rig;
      session.verify.push(["sh", join(session.repository, "check.sh")]);
      const fails = { "check.sh": "exit 1\n" };
      const { good, bad } = await judge(rig, { "README.md": "# a\n" }, fails);
      expect([good, bad]).toEqual(["passed", "failed"]);
    },
  );

  // Nothing hides the checkout without a sandbox.
  test.skipIf(!isThere || bwrap === undefined)(
    "a module that npm has linked to the checkout makes no broken commit green",
    async () => {
      const code = (sign: "+" | "-") => ({
        "package.json": JSON.stringify({ name: "cart", main: "index.js" }),
        "index.js": `exports.add = (a, b) => a ${sign} b;\n`,
      });
      const modules = (checkout: string) => join(dirname(checkout), "prefix/lib/node_modules");
      using rig = new TreeRig(
        bwrap,
        { verify: [[NODE, "check.js"]], commands: { env: ["NODE_PATH"] } },
        {
          files: {
            ...code("+"),
            "check.js": `process.exit(require("cart").add(1, 2) === 3 ? 0 : 1);\n`,
          },
          env: (checkout) => ({ NODE_PATH: modules(checkout) }),
          sandbox: (checkout) => ({ allow: [modules(checkout)] }),
        },
      );
      const { repository } = rig.rig.session;
      mkdirSync(modules(repository), { recursive: true });
      symlinkSync(repository, join(modules(repository), "cart"));
      const { good, bad, printed } = await judge(rig, { "README.md": "# cart\n" }, code("-"));
      expect(printed).toContain("Cannot find module 'cart'");
      expect([good, bad]).toEqual(["failed", "failed"]);
    },
  );

  test.skipIf(!isThere).each([
    ["a session that says so", { env: [], ci: true }, {}, "build true verify true"],
    ["a session that says not", { env: [], ci: false }, {}, "build - verify -"],
    ["a session begun before", { env: [] }, {}, "build - verify -"],
    [
      "a person with a CI of their own",
      { env: [], ci: true },
      { CI: "mine" },
      "build mine verify mine",
    ],
  ])(
    "%s: what CI build and verify have, and setup never wisp's",
    async (_, commands, env, told) => {
      const say = (stage: string) => [NODE, "-e", `console.log("${stage}", process.env.CI ?? "-")`];
      using rig = new TreeRig(
        bwrap,
        { setup: [say("setup")], build: [say("build")], verify: [say("verify")], commands },
        { env: () => env },
      );
      const { printed } = await rig.verify(await rig.commit({ a: "" }));
      expect(printed.split("\n").slice(1).join(" ").trim()).toBe(told);
    },
  );
});
