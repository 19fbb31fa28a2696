import fc from "fast-check";
import { expect, test } from "vitest";
import { calledBy } from "../../../src/evidence/harness/called-by-verify.ts";

type Files = Readonly<Record<string, string>>;

async function called(files: Files, ...verify: readonly (readonly string[])[]) {
  const paths = new Set(Object.keys(files));
  const { files: named, commands } = await calledBy(verify, {
    paths,
    read: async (path) => files[path],
  });
  const stated = [...commands].map(([file, names]) => `${file}: ${[...names].sort().join(" ")}`);
  return [...[...named].sort(), ...stated.sort()];
}

function scripts(all: Readonly<Record<string, string>>): string {
  return JSON.stringify({ scripts: all });
}

test.each<readonly [string, Files, readonly string[], readonly string[]]>([
  ["a file", { "check.sh": "" }, ["./check.sh"], ["check.sh"]],
  [
    "a file behind a shell",
    { "ci/check.sh": "" },
    ["sh", "-c", "cd . && ci/check.sh"],
    ["ci/check.sh"],
  ],
  [
    "scripts that call scripts, with their pre and post scripts",
    {
      "package.json": scripts({
        test: "npm run unit && yarn lint",
        pretest: "node a.js",
        unit: "node b.js",
        lint: "c",
        postlint: "node d.js",
        start: "node e.js",
      }),
      ...Object.fromEntries(["a", "b", "d", "e"].map((name) => [`${name}.js`, ""])),
    },
    ["npm", "test"],
    ["a.js", "b.js", "d.js", "package.json: lint postlint pretest test unit"],
  ],
  [
    "scripts of all packages",
    {
      "package.json": scripts({ test: "npm test --workspaces" }),
      "p/package.json": scripts({ test: "node t.js" }),
      "p/t.js": "",
    },
    ["npm", "t"],
    ["p/t.js", "p/package.json: test", "package.json: test"],
  ],
  [
    "scripts of a package in a folder",
    { "web/package.json": scripts({ test: "node t.js" }), "web/t.js": "", "t.js": "" },
    ["npm", "--prefix", "web", "test"],
    ["t.js", "web/t.js", "web/package.json: test"],
  ],
  [
    "recipes, with their prerequisites and variables",
    {
      Makefile:
        "TOOL = tools/t.sh\nall: build\n\ntest: unit\n\t$(MAKE) more\n\nunit:\n\t$(TOOL)\n\nmore:\n\tsh m.sh\n\nbuild:\n\tsh b.sh\n",
      "tools/t.sh": "",
      "m.sh": "",
      "b.sh": "",
    },
    ["make", "test"],
    ["Makefile", "m.sh", "tools/t.sh", "Makefile: more test unit"],
  ],
  [
    "files that files name, and modules that they load",
    {
      "run.js": 'const x = require("./lib/x");\nspawn("npm", ["run", "more"]);\n',
      "lib/x.js": 'import "./y.mjs";\n',
      "lib/y.mjs": "",
      "package.json": scripts({ more: "python -m tools.more" }),
      "tools/more.py": "",
    },
    ["node", "run.js"],
    ["lib/x.js", "lib/y.mjs", "run.js", "tools/more.py", "package.json: more"],
  ],
  [
    "settings that a flag names",
    { "cfg/m.json": "" },
    ["mocha", "--config=cfg/m.json"],
    ["cfg/m.json"],
  ],
  [
    "source of a compiled language, which is the product",
    { "main.c": "", "a.go": "" },
    ["cc", "main.c", "a.go"],
    [],
  ],
])("calledBy follows verify to %s", async (_, files, verify, expected) => {
  expect(await called(files, verify)).toEqual(expected);
});

test("calledBy ends for commands that call themselves", async () => {
  const files = {
    "package.json": scripts({ test: "npm test && ./a.sh" }),
    "a.sh": "sh b.sh\nnpm test\nmake test\n",
    "b.sh": "sh a.sh\n",
    Makefile: "test: test\n\tmake test\n\tnpm test\n",
  };
  expect(await called(files, ["npm", "test"])).toContain("b.sh");
});

test("calledBy never throws and always ends", async () => {
  const word = fc.constantFrom(
    "npm",
    "test",
    "make",
    "run",
    "-C",
    "a",
    "a.sh",
    "--filter",
    "*",
    "$(MAKE)",
    "..",
  );
  const text = fc
    .array(fc.oneof(word, fc.string()), { maxLength: 8 })
    .map((words) => words.join(" "));
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { minLength: 1, maxLength: 6 }),
      text,
      text,
      async (argv, one, other) => {
        const files = {
          "package.json": scripts({ test: one, a: other }),
          "a.sh": one,
          Makefile: `test:\n\t${other}\n`,
        };
        const named = await called(files, argv);
        expect(named.length).toBeLessThan(50);
      },
    ),
  );
});
