import { expect, test } from "vitest";
import { findMissing } from "../../../src/evidence/missing/find-missing.ts";
import {
  missingLine,
  sayMissing,
  type CommandsAtBase,
} from "../../../src/evidence/missing/missing.ts";
import { commandsOf, factsOf, type MadeUpProject } from "./facts-of.ts";

/** Its lines, each after its kind. */
function found(project: MadeUpProject, settings: Partial<CommandsAtBase> = {}) {
  const facts = factsOf(project);
  return findMissing(facts, commandsOf(facts, settings)).map(
    (one) => `${one.kind}: ${missingLine(one)}`,
  );
}

const npm = (json: object) => JSON.stringify({ name: "shop", ...json });
const MOCHA = npm({ scripts: { test: "mocha" }, devDependencies: { mocha: "^12.0.0" } });
const MODULES_TEST = {
  "test/a.test.js": 'import { x } from "../src/a.js";\nimport test from "node:test";\n',
  "src/a.js": 'import { readFileSync } from "node:fs";\nexport const x = 1;\n',
};
const NODE = npm({ type: "module", scripts: { test: "node --test" } });

test("a submodule is named with the setup that fills it, before what setup does already", () => {
  const gitmodules = '[submodule "lib"]\n\tpath = vendor/lib\n\turl = ../lib\n';
  const files = { ".gitmodules": gitmodules, "package.json": NODE, "package-lock.json": "{}" };
  expect(found({ files, links: ["vendor/lib"] })).toEqual([
    "submodule: the submodule vendor/lib is empty in wisp's copies of the repository. " +
      "Run `git submodule update --init --recursive` in your checkout, or name " +
      "`setup: [[git, submodule, update, --init, --recursive], [npm, ci]]` in .wisp/config.yaml.",
  ]);
});

test("of submodules, only those whose files are not here are named, nested ones too", () => {
  const files = { ".gitmodules": '[submodule "lib"]\n\tpath = vendor/lib\n', "package.json": NODE };
  const links = ["vendor/lib"];
  const notes = { "package-lock.json": "{}", ...files };
  expect(found({ files: notes, links, unfilled: [] })).toEqual([]);
  expect(found({ files: notes, links, unfilled: ["vendor/lib/deep"] })).toEqual([
    expect.stringContaining("the submodule vendor/lib/deep is empty"),
  ]);
});

test("a submodule that setup fills is not missing, whether its words or its script say so", () => {
  const files = {
    ".gitmodules": "[submodule]\npath = lib\n",
    Makefile: "deps:\n\tgit submodule update\n",
    "bin/setup.sh": "git submodule update --init\n",
  };
  for (const setup of [["git", "submodule", "update"], ["make", "deps"], ["./bin/setup.sh"]]) {
    expect(found({ files, links: ["lib"] }, { setup: [setup] })).toEqual([]);
  }
});

test("a repository inside the repository is told apart from a submodule", () => {
  expect(found({ files: {}, links: ["inner"] })).toEqual([
    "submodule: the commit has no files of the repositories inside this one: inner. " +
      "Commit their files, or make them submodules with `git submodule add`.",
  ]);
});

test("pointers of Git LFS are named, unless setup fetches their content", () => {
  const pointers = ["a.bin", "b.bin", "c.bin", "d.bin", "e.bin"];
  expect(found({ files: {}, pointers })).toEqual([
    expect.stringMatching(
      /^lfs: wisp's copies .* in place of files: a\.bin, b\.bin, c\.bin and 2 more\. /,
    ),
  ]);
  expect(found({ files: {}, pointers }, { setup: [["git", "lfs", "pull"]] })).toEqual([]);
  const remedies = [[], ["lfs"]].map((defined) => {
    const facts = { filters: { defined, ofPerson: [], ofMachine: [] }, pointers: ["a.bin"] };
    return found({ files: {}, ...facts });
  });
  expect(remedies).toEqual([
    [expect.stringContaining("let git use git-lfs (`git lfs install`) and fetch it with")],
    [expect.stringContaining("fetch it here with `git lfs pull`, or let a command of `setup`")],
  ]);
});

test("files beyond the limit of Git LFS content are named, and so is the limit", () => {
  expect(found({ files: {}, pointersOver: ["a.bin"] })).toEqual([
    "lfs: more than 5.0 GiB of content under Git LFS are not copied, so that wisp's copies of the repository have " +
      "pointers in place of files: a.bin. " +
      "If tests need their content, let a command of `setup` in .wisp/config.yaml fetch it.",
  ]);
});

test("filters that agents do not have are named if attributes name them, unless the person allows it", () => {
  const filters = { defined: ["crypt", "lfs", "unused"], ofPerson: ["lfs"], ofMachine: ["lfs"] };
  const filtered = new Map([
    ["crypt", ["secrets/a.txt"]],
    ["lfs", ["a.bin"]],
  ]);
  const facts = factsOf({ files: {}, filters, filtered });
  const said = (allowed: string[]) =>
    findMissing(facts, commandsOf(facts), { filters: { defined: [], allowed } });
  expect(said([])).toMatchObject([{ kind: "filter", where: "secrets/a.txt" }]);
  expect(sayMissing(said([]))).toContain(
    "Agents do not have git's filter crypt, which runs on secrets/a.txt: what they change there is not published.",
  );
  expect(said(["crypt"])).toEqual([]);
});

test("dependencies that tests need and no lock file pins are not installed", () => {
  expect(found({ files: { "package.json": MOCHA } })).toEqual([
    "manifest: the manifest package.json names mocha, but there is no lock file, so nothing is installed before verify. " +
      "Commit package-lock.json, or name `setup: [npm, install]` in .wisp/config.yaml.",
  ]);
  const imported = {
    "package.json": npm({
      scripts: { test: "node --test" },
      dependencies: { "@x/y": "1" },
      packageManager: "pnpm@10.0.0",
    }),
    "a.js": 'import y from "@x/y/z.js";\n',
  };
  expect(found({ files: imported })).toEqual([
    expect.stringContaining("name `setup: [pnpm, install]`"),
  ]);
});

test.each([
  ["it has a lock file", { "package.json": MOCHA, "package-lock.json": "{}" }, {}],
  ["its packages are in the commit", { "package.json": MOCHA, "node_modules/mocha/x.js": "" }, {}],
  ["the settings have a setup", { "package.json": MOCHA }, { setup: [["make", "deps"]] }],
  ["verify is not of Node", { "package.json": MOCHA }, { verify: [["go", "test", "./..."]] }],
  [
    "neither the tests' scripts nor any code need them",
    {
      "package.json": npm({
        scripts: { test: "node --test", lint: "eslint ." },
        devDependencies: { eslint: "9", prettier: "3" },
      }),
      ...MODULES_TEST,
    },
    {},
  ],
] as const)("dependencies are no matter if %s", (_, files, settings) => {
  expect(found({ files }, settings)).toEqual([]);
});

const PYPROJECT =
  '[project]\nname = "shop"\n[project.optional-dependencies]\ntest = ["pytest"]\n[tool.pytest.ini_options]\n';

test("a Python project whose environment only the checkout has is told how to make one", () => {
  const files = { "pyproject.toml": PYPROJECT, "src/shop/__init__.py": "", "tests/test_a.py": "" };
  expect(found({ files, ignored: [".venv/"] })).toEqual([
    "manifest: the manifest pyproject.toml has no lock file, so wisp installs nothing before verify, and your .venv is not in its copies. " +
      'Name `setup: [[python3, -m, venv, .venv], [.venv/bin/pip, install, -e, ".[test]", pytest]]` and ' +
      "`verify: [.venv/bin/python, -m, pytest]` in .wisp/config.yaml, unless verify finds its packages elsewhere.",
  ]);
});

test.each([
  ["has no environment of its own", { "pyproject.toml": PYPROJECT }, []],
  ["is locked", { "pyproject.toml": PYPROJECT, "uv.lock": "" }, [".venv/"]],
  ["has requirements", { "requirements.txt": "pytest\n" }, [".venv/"]],
  ["has settings of tools only", { "pyproject.toml": "[tool.pytest.ini_options]\n" }, ["venv/"]],
] as const)("a Python project hears nothing if it %s", (_, files, ignored) => {
  expect(found({ files, ignored })).toEqual([]);
});

const WORKSPACE = {
  "package.json": npm({ workspaces: ["packages/*"], scripts: { test: "node --test", build: "b" } }),
  "package-lock.json": "{}",
  "packages/a/package.json": npm({ name: "@shop/a", main: "dist/index.js" }),
  "packages/a/src/index.ts": "export const add = 1;\n",
};

test("a package of a workspace that a build makes is named with the build", () => {
  const files = {
    ...WORKSPACE,
    "packages/b/test/b.test.js": 'import { add } from "@shop/a";\n',
  };
  expect(found({ files, ignored: ["packages/a/dist/index.js"] })).toEqual([
    "built: a build has to make packages/a, which packages/b/test/b.test.js imports, but no build is known. " +
      "Name `build: [npm, run, build]` in .wisp/config.yaml.",
  ]);
});

test("so is a path that a build writes, whether the work tree has it or not", () => {
  const files = {
    ...WORKSPACE,
    "packages/b/test/b.test.js": 'const { add } = require("../../a/dist/index.js");\n',
  };
  expect(found({ files })).toEqual([
    expect.stringContaining(
      "a build has to make packages/a/dist/index.js, which packages/b/test/b.test.js imports",
    ),
  ]);
  expect(found({ files }, { build: [["make"]] })).toEqual([]);
});

test.each([
  ["settings lead its name to its source", { "vitest.config.ts": "alias: { '@shop/a': 'x' }" }],
  [
    "the tests' script builds",
    { "package.json": npm({ scripts: { test: "npm run build && node --test", build: "b" } }) },
  ],
  [
    "installing builds",
    { "package.json": npm({ scripts: { test: "node --test", build: "b", prepare: "b" } }) },
  ],
  [
    "its source is an entry, too",
    {
      "packages/a/package.json": npm({
        name: "@shop/a",
        exports: { source: "./src/index.ts", default: "./dist/index.js" },
      }),
    },
  ],
  [
    "only a string has the import",
    { "packages/b/test/b.test.js": 'const text = `\nimport x from "@shop/a";\n`;\n' },
  ],
] as const)("a built package is no matter if %s", (_, more) => {
  const importing = { "packages/b/test/b.test.js": 'import { add } from "@shop/a";\n' };
  expect(found({ files: { ...WORKSPACE, ...importing, ...more } })).toEqual([]);
});

test("folders with names of builds that are source are no builds", () => {
  const files = {
    "package.json": npm({ scripts: { test: "node --test", build: "b" } }),
    "lib/index.js": "",
    "test/a.test.js":
      'import x from "../lib/";\nimport y from "../lib";\nimport z from "../lib/index";\n',
  };
  expect(found({ files })).toEqual([]);
});

test.each([
  [
    "a script",
    { "package.json": npm({ scripts: { test: "node --env-file=.env --test" } }) },
    "the script `test`",
  ],
  [
    "code that loads it",
    { "package.json": NODE, "src/a.js": 'import "dotenv/config";\n' },
    "src/a.js:1",
  ],
  [
    "code that reads it",
    { "package.json": NODE, "test/a.test.js": '\nreadFileSync("../.env")\n' },
    "test/a.test.js:2",
  ],
  ["Python", { "pytest.ini": "", "conftest.py": 'load_dotenv(".env")\n' }, "conftest.py:1"],
] as const)("an ignored file that %s needs is named with its example", (_, files, by) => {
  const all = { ...files, ".env.example": "A=1\n" };
  expect(found({ files: all, ignored: [".env"] })).toEqual([
    `ignored: git ignores .env, so wisp's copies lack it, but ${by} needs it. ` +
      "If verify needs it, name `setup: [cp, .env.example, .env]` in .wisp/config.yaml.",
  ]);
});

test("an ignored module and a word of verify are named, with no example to copy", () => {
  const files = {
    "package.json": NODE,
    "src/a.js": 'import local from "./local.json" with { type: "json" };\n',
  };
  expect(found({ files, ignored: ["src/local.json"] })).toEqual([
    "ignored: git ignores src/local.json, so wisp's copies lack it, but src/a.js:1 needs it. " +
      "If verify needs it, commit it, or let a command of `setup` in .wisp/config.yaml make it.",
  ]);
  const php = { verify: [["vendor/bin/phpunit"]] };
  expect(found({ files: {}, ignored: ["vendor/bin/phpunit"] }, php)).toEqual([
    expect.stringContaining(
      "git ignores vendor/bin/phpunit, so wisp's copies lack it, but `verify` needs it",
    ),
  ]);
});

test.each([
  [
    "the code goes on without it",
    { "settings.py": "try:\n    from local_settings import *\nexcept ImportError:\n    pass\n" },
    "local_settings.py",
  ],
  [
    "it is looked for first",
    { "a.js": 'if (existsSync("x.json")) {\n  readFileSync("x.json");\n}\n' },
    "x.json",
  ],
  ["it is only written", { "a.js": 'writeFileSync("report.html", text);\n' }, "report.html"],
  ["only a comment names it", { "a.js": '// readFileSync("x.json")\n' }, "x.json"],
  [
    "only a string has the code",
    { "a.test.js": 'const a = `\nreadFileSync("x.json");\n`;\n' },
    "x.json",
  ],
  ["it is a part of a longer name", { "a.js": "config(process.env);\n" }, ".env"],
  [
    "another file of that name is meant",
    { "lib/a.js": 'import x from "./x.json";\n', "lib/x.json": "{}" },
    "x.json",
  ],
  [
    "only documents and examples name it",
    { "README.md": 'readFile(".env")', "examples/a.js": 'readFile(".env")' },
    ".env",
  ],
  ["programs leave it behind", { "a.js": 'readFile("debug.log");\n' }, "debug.log"],
  [
    "a script of development names it",
    { "package.json": npm({ scripts: { test: "node --test", dev: "node --env-file=.env ." } }) },
    ".env",
  ],
  [
    "a script takes it if it is there",
    { "package.json": npm({ scripts: { test: "node --env-file-if-exists=.env --test" } }) },
    ".env",
  ],
] as const)("an ignored file is no matter if %s", (_, files, ignored) => {
  expect(found({ files: { ...files }, ignored: [ignored] })).toEqual([]);
});

test("what setup or an install makes is not missing", () => {
  const files = { "package.json": NODE, ".env.example": "", "a.js": 'readFileSync(".env");\n' };
  const made = { setup: [["cp", ".env.example", ".env"]] };
  expect(found({ files, ignored: [".env"] }, made)).toEqual([]);
  const generated = { "a.py": "from pkg._version import version\n", "uv.lock": "" };
  expect(found({ files: generated, ignored: ["pkg/_version.py"] })).toEqual([]);
});

test("usual projects hear nothing", () => {
  const plain = { "package.json": NODE, "package-lock.json": "{}", ...MODULES_TEST };
  const go = {
    "go.mod": "module x\n",
    "a.go": "package x\n",
    "a_test.go": 'package x\nimport "os"\n',
  };
  const cargo = {
    "Cargo.toml": "[package]\n",
    "src/lib.rs": 'include_str!("a.txt");\n',
    "src/a.txt": "",
  };
  const ignored = [
    "node_modules/",
    "dist/",
    "dist/a.js",
    ".env",
    "coverage/",
    "target/",
    ".DS_Store",
  ];
  for (const files of [plain, go, cargo]) expect(found({ files, ignored })).toEqual([]);
});

test("a limit that was reached is said", () => {
  expect(found({ files: {}, unread: ["213 of the source files"] })).toEqual([
    "not-searched: there is too much to look for all that may be missing: 213 of the source files were left out. " +
      "If verify fails at the start, see what it names.",
  ]);
});

test("names of files cannot bring control characters or long texts into what people see", () => {
  const path = `\u001b[31m${"x".repeat(5_000)}`;
  const facts = factsOf({ files: {}, pointers: [path] });
  const text = sayMissing(findMissing(facts, commandsOf(facts)));
  expect(text).not.toContain("\u001b");
  expect(text.length).toBeLessThan(1_000);
});
