import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { readBugCommand } from "../../../src/agents/tester/bug-command.ts";
import { splitCommand } from "../../../src/agents/tester/command-line.ts";
import { commandPlaces } from "../../../src/agents/tester/command-places.ts";
import { NO_SANDBOX } from "../../../src/base/ports/sandbox.ts";
import { shellWord } from "../../../src/base/words/shell-word.ts";
import { createHost } from "../../../src/host/host.ts";
import { SESSION } from "../../rig/session.ts";

interface Reading {
  /** The session's folder, where it is not called by its own name. */
  readonly path?: string;
  readonly verify?: string[][];
}

/** The folders of a session below a folder of their own, which may be called anything. */
class Machine implements Disposable {
  readonly #top = realpathSync(mkdtempSync(join(tmpdir(), "wisp-")));
  readonly root: string;
  readonly checkout: string;
  readonly state: string;
  readonly clone: string;
  readonly tree: string;

  constructor(name = "plain") {
    this.root = join(this.#top, name);
    this.checkout = this.make("code/project");
    this.state = this.make("state");
    this.clone = this.make("state/tester/clone");
    this.tree = this.make("state/verify/1/tree");
  }

  make(path: string): string {
    mkdirSync(join(this.root, path), { recursive: true });
    return join(this.root, path);
  }

  file(path: string): string {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), "");
    return join(this.root, path);
  }

  link(path: string, target: string): string {
    symlinkSync(target, join(this.root, path));
    return join(this.root, path);
  }

  /** The words that are run in the tree, or why the command is refused. */
  read(line: string, { path = this.state, verify = [] }: Reading = {}): readonly string[] | string {
    const session = { ...SESSION, repository: this.checkout, state: path, verify };
    const env = { PATH: [dirname(process.execPath), join(this.root, "tools")].join(":") };
    const context = { session, ports: createHost(), env, sandbox: NO_SANDBOX };
    const read = readBugCommand(line, commandPlaces(context));
    return read.ok ? read.value.within(this.tree) : read.failure.reason;
  }

  [Symbol.dispose](): void {
    rmSync(this.#top, { recursive: true, force: true });
  }
}

test.each(["plain", "with space", "a+b (c) [d]", "it's", "ü"])(
  "a path into any of the session's folders becomes the same path of the tree, below a folder called %s",
  (name) => {
    using at = new Machine(name);
    const others = ["builder/clone", "reviewer/clone-2", "verify/2/tree"];
    for (const root of [at.clone, at.checkout, ...others.map((one) => join(at.state, one))]) {
      expect(at.read(`node ${shellWord(join(root, "cli.js"))} --help`)).toEqual([
        "node",
        join(at.tree, "cli.js"),
        "--help",
      ]);
    }
  },
);

test("so do paths in options, variables, lists, and with what a runner appends to them", () => {
  using at = new Machine();
  const { clone, tree } = at;
  const words = [
    ["--import=@/a.mjs"],
    ["-I@/include"],
    ["DATA=@/a:@/b"],
    ["--prefix", "@"],
    ["@/tests/test_a.py::test_b"],
    ["@/src/a.js:12:3"],
    ["@/a.js,@/b.js"],
    ["@/sub/../a.js"],
    ["@/sub/"],
  ].flat();
  for (const word of words) {
    const of = (root: string) =>
      word
        .replaceAll("@", root)
        .replace("/sub/..", "")
        .replace(/sub\/$/u, "sub");
    expect(at.read(`env ${word.replaceAll("@", clone)} x`)).toEqual(["env", of(tree), "x"]);
  }
  expect(at.read(`${clone}/bin/run --all`)).toEqual([`${tree}/bin/run`, "--all"]);
});

test("so do paths in scripts", () => {
  using at = new Machine();
  const scripts = [
    ["node", "-e", "require('@/a.js').b(\"@/c\")"],
    ["sh", "-c", "cd @ && node a.js | grep -q x"],
    ["bash", "-lc", "cat @/a.txt;cat @/b.txt>@/c.txt"],
    ["python3", "-c", "open('@/a file.txt').read()"],
    ["cc", "-I@/include", "@/a.c"],
  ];
  for (const words of scripts) {
    const line = words.map((word) => shellWord(word.replaceAll("@", at.clone))).join(" ");
    expect(at.read(line)).toEqual(words.map((word) => word.replaceAll("@", at.tree)));
  }
});

test.each(["plain", "with space", "ü"])("so do file URLs, below a folder called %s", (name) => {
  using at = new Machine(name);
  const url = (root: string) => pathToFileURL(join(root, "a b.mjs")).href;
  expect(at.read(`node --import ${url(at.clone)}`)).toEqual(["node", "--import", url(at.tree)]);
  const script = (root: string) => `import("${url(root)}?x").then(f)`;
  expect(at.read(`node -e '${script(at.checkout)}'`)).toEqual(["node", "-e", script(at.tree)]);
});

test("a folder counts under every name that links give it, also while a clone is gone", () => {
  using at = new Machine();
  const real = at.make("private/tmp");
  const tmp = at.link("tmp", real);
  at.make("private/tmp/state/tester/clone");
  at.make("private/tmp/project/lib");
  const project = at.link("mine", join(tmp, "project"));
  const lib = at.link("lib", join(project, "lib"));
  Object.assign(at, { checkout: join(tmp, "project") });
  const state = join(tmp, "state");
  for (const path of [
    join(tmp, "state/tester/clone/lib/a.js"),
    join(real, "state/tester/clone/lib/a.js"),
    join(tmp, "state/builder/clone/lib/a.js"),
    join(real, "state/builder/clone/lib/a.js"),
    join(real, "project/lib/a.js"),
    join(project, "lib/a.js"),
    join(lib, "a.js"),
  ]) {
    const words = ["node", "-e", `require("${at.tree}/lib/a.js")`];
    expect(at.read(`node -e 'require("${path}")'`, { path: state })).toEqual(words);
    expect(at.read(`node ${path}`, { path: state })).toEqual(["node", `${at.tree}/lib/a.js`]);
  }
});

test("a folder beside one of the session's that begins with its name is another folder", () => {
  using at = new Machine();
  expect(at.read(`node ${at.checkout}-old/cli.js`)).toContain("which is neither in the repository");
  expect(at.read(`node ${at.clone}/../../cli.js`)).toContain("which is neither in the repository");
});

test("absolute paths elsewhere are refused, and the reason says what to write instead", () => {
  using at = new Machine();
  const there = at.file("elsewhere/a.js");
  const spaced = at.file("elsewhere/a b.js");
  for (const line of [
    `node ${there}`,
    `node '${spaced}'`,
    "node /tmp/rr.js",
    "node --test /tmp/rr.test.js",
    "python3 /tmp/rr.py",
    "cat /nonexistent",
    "cat /nonexistent/a.txt:3",
    "env DATA=/tmp/data node a.js",
    "node --import=file:///tmp/a.mjs a.js",
    "node /dev/shm/rr.js",
    `node -e 'require("${there}")'`,
    "sh -c 'cat /tmp/rr.txt'",
    "sh -c 'cc -I/tmp/include a.c'",
  ]) {
    expect(at.read(line)).toMatch(
      /^it names \/.*, which is neither in the repository nor a part of the system: leave what it needs among the tests, and write paths relative to the root/u,
    );
  }
});

test.each([
  "/usr/bin/env node a.js",
  "sh -c 'cat /etc/passwd 2>/dev/null'",
  "cmp /dev/null a.txt",
  "test -e /etc/nowhere",
  `${process.execPath} -p 1`,
  // Not of files: URLs, routes, patterns, regular expressions, quotients, comments.
  "curl http://localhost:3000/tmp/x",
  "curl http://localhost:3000/",
  "node a.js GET /",
  "node a.js '/^a.*/'",
  "grep -q /tmp/x src/a.js",
  "grep -q -e /tmp/x src/a.js",
  "sed -n /tmp/p a.txt",
  `node -e 'fetch("/orders/1").then(/x/.test(4 /2)) // done'`,
  "sh -c 'node src/tmp/a.js \"$PWD/src/b.js\" ../tmp/x'",
  "node -e 'require(\"./a.js\")'",
])("%s is run as it is", (line) => {
  using at = new Machine();
  const words = splitCommand(line);
  expect(at.read(line)).toEqual(words.ok ? words.value : words.failure);
});

test("a program that PATH leads to may be named with its folder, also by another name of it", () => {
  using at = new Machine();
  const tool = at.file("tools/tool");
  const tools = at.link("bin", join(at.root, "tools"));
  expect(at.read(`${tool} a`)).toEqual([tool, "a"]);
  expect(at.read(`env ${tools}/tool a`)).toEqual(["env", `${tools}/tool`, "a"]);
  expect(at.read(`${at.file("others/tool")} a`)).toContain("neither in the repository");
});

test("a part of the system that does not exist proves nothing", () => {
  using at = new Machine();
  expect(at.read("cat /etc/nowhere/at-all")).toBe(
    "it names /etc/nowhere/at-all, which does not exist",
  );
  expect(at.read("sh -c 'cat /usr/nowhere'")).toBe("it names /usr/nowhere, which does not exist");
});

test("a command of the person's own may name anything, and its paths into the checkout become those of the tree", () => {
  using at = new Machine();
  const there = at.file("elsewhere/check");
  const verify = [[there, at.checkout]];
  expect(at.read(`${there} ${at.checkout}`, { verify })).toEqual([there, at.tree]);
});

test("a path that cannot be replaced safely is refused", () => {
  using at = new Machine();
  // A URL of a server, and a name that the tree's path would break into words.
  expect(at.read(`curl http://localhost/@fs${at.clone}/a.js`)).toContain("cannot be replaced");
  using other = new Machine("with space");
  const checkout = at.make("checkout");
  Object.assign(other, { checkout });
  expect(other.read(`sh -c 'cat ${checkout}/a'`)).toContain("cannot be replaced");
  expect(other.read(`cat ${checkout}/a`)).toEqual(["cat", `${other.tree}/a`]);
  expect(other.read(`sh -c 'cat "${other.clone}/a"'`)).toEqual([
    "sh",
    "-c",
    `cat "${other.tree}/a"`,
  ]);
});

test("results of a command are of one key for all trees, and of another than its words had", () => {
  using at = new Machine();
  const places = commandPlaces({
    session: { ...SESSION, repository: at.checkout, state: at.state },
    ports: createHost(),
    env: {},
  });
  const keyOf = (line: string) => {
    const read = readBugCommand(line, places);
    return read.ok ? read.value.key : read.failure;
  };
  expect(keyOf(`node ${at.clone}/a.js`)).toBe(keyOf(`node ${at.checkout}/a.js`));
  expect(keyOf(`node ${at.clone}/a.js`)).not.toBe(keyOf("node /a.js"));
  expect(keyOf(`node ${at.clone}/a.js`)).not.toBe(keyOf("node a.js"));
});
