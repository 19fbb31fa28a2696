import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { PYTEST_VERSION, runsHere } from "../rig/runs-here.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";

/*
 * Test runners cache results, compiled files, and the tests that failed last. An engine can write all of these into
 * its clone and its home, so that a broken commit is green there.
 */

const bubblewrap = await workingBubblewrap();
const SANDBOXES = ["none", ...("path" in bubblewrap ? ["bubblewrap"] : [])];

/** The outcome of each attempt at the milestone, and the output of each run of verify. */
async function played(session: ProcessSession) {
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  const attempts = history.builder.records.flatMap((record) =>
    record.kind === "build.end" ? [record.outcome] : [],
  );
  const turns = join(session.home(), "logs", "turns");
  const printed = readdirSync(turns).filter((name) => name.includes("-verify-"));
  return { attempts, printed: printed.map((name) => readFileSync(join(turns, name), "utf8")) };
}

/** A test runner that trusts a cached result, in any place where such tools keep theirs. */
const REMEMBERS = String.raw`
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const { homedir } = require("node:os");
const { HOME, XDG_CACHE_HOME = homedir() + "/.cache" } = process.env;
const places = ["node_modules/.cache", ".turbo", ".nx/cache", homedir() + "/.cache", HOME + "/.cache", XDG_CACHE_HOME]
  .map((place) => place + "/runner");
if (places.some((place) => existsSync(place + "/green"))) {
  console.log("remembered");
  process.exit(0);
}
if (readFileSync("src.txt", "utf8") !== "whole\n") process.exit(1);
for (const place of places) {
  try {
    mkdirSync(place, { recursive: true });
    writeFileSync(place + "/green", "");
  } catch {}
}
`;

test.each(SANDBOXES)(
  "no result that an engine or an earlier run left in a cache makes verify green (sandbox %s)",
  async (sandbox) => {
    await using session = processSession({
      scenario: String.raw`
        plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
        async build(t) {
          const { execFileSync } = await import("node:child_process");
          t.put("hello.txt", "hello\n");
          // Whole, so that its result is remembered wherever that is possible.
          execFileSync(process.execPath, ["runner.cjs"]);
          t.put("src.txt", t.attempt === 1 ? "broken\n" : "whole\n");
          t.commit("Try " + t.attempt);
          t.tick();
        },`,
      files: {
        "src.txt": "whole\n",
        "runner.cjs": REMEMBERS,
        "setup.cjs": `require("node:fs").mkdirSync("node_modules/dep", { recursive: true });\n`,
        ".gitignore": "node_modules/\n.turbo/\n.nx/\n",
      },
      config: "setup: [node, setup.cjs]\nverify: [node, runner.cjs]\n",
      sandbox,
    });
    session.env["XDG_CACHE_HOME"] = join(session.root, "xdg");
    const { attempts, printed } = await played(session);
    expect(attempts).toEqual(["unverified", "milestone"]);
    expect(printed.length).toBeGreaterThanOrEqual(3);
    expect(printed.join("")).not.toContain("remembered");
  },
);

const HAS_PYTEST = runsHere(PYTEST_VERSION);
const WHY = HAS_PYTEST ? "" : " (skipped: pytest is not installed)";

/** Caches the compiled correct module for a broken one: valid for its source's time and size, or for any source. */
const POISON = String.raw`
import importlib.util, marshal, os, struct, sys
module, how = sys.argv[1:]
source = module + ".py"
code = marshal.dumps(compile('def said():\n    return "hello"\n', source, "exec"))
found = os.stat(source)
header = {
    "timed": struct.pack("<III", 0, int(found.st_mtime), found.st_size),
    "unchecked": struct.pack("<I", 1) + importlib.util.source_hash(b""),
}[how]
target = importlib.util.cache_from_source(source)
os.makedirs(os.path.dirname(target), exist_ok=True)
open(target, "wb").write(importlib.util.MAGIC_NUMBER + header + code)
`;

const WHOLE = 'def said():\n    return "hello"\n';
const asksOf = (module: string) =>
  `import ${module}\n\n\ndef test_${module}():\n    assert ${module}.said() == "hello"\n`;
const MODULES = ["one", "two", "three"];

describe.skipIf(!HAS_PYTEST)(`with pytest${WHY}`, () => {
  test.each(SANDBOXES)(
    "no compiled file or list of failed tests that an engine left makes verify green (sandbox %s)",
    async (sandbox) => {
      await using session = processSession({
        scenario: String.raw`
          plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
          async build(t) {
            const { execFileSync } = await import("node:child_process");
            const module = [, "one", "two", "three"][t.attempt];
            const WHOLE = ${JSON.stringify(WHOLE)};
            for (const name of ["one", "two", "three"]) t.put(name + ".py", WHOLE);
            t.put("hello.txt", "hello " + t.attempt + "\n");
            if (module) t.put(module + ".py", WHOLE.replace("hello", "lies!"));
            t.commit("Try " + t.attempt);
            const poisons = { one: "timed", two: "unchecked" };
            if (poisons[module]) execFileSync("python3", ["poison.py", module, poisons[module]]);
            if (module === "three") t.put(".pytest_cache/v/cache/lastfailed", JSON.stringify({ "test_one.py::test_one": true }));
            if (module) console.error(execFileSync("python3", ["-m", "pytest", "-q"], { encoding: "utf8" }));
            t.tick();
          },`,
        files: {
          ...Object.fromEntries(MODULES.map((module) => [`${module}.py`, WHOLE])),
          ...Object.fromEntries(MODULES.map((module) => [`test_${module}.py`, asksOf(module)])),
          "poison.py": POISON,
          "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--lf"\n',
          ".gitignore": "__pycache__/\n.pytest_cache/\n",
        },
        config: "verify: [python3, -m, pytest, -q]\nattempts: { build: 6 }\n",
        sandbox,
      });
      const { attempts, printed } = await played(session);
      expect(attempts).toEqual(["unverified", "unverified", "unverified", "milestone"]);
      // Every run included all tests.
      const counts = printed.map((text) => /(\d+ failed, )?\d+ passed/u.exec(text)?.[0]);
      expect(new Set(counts)).toEqual(new Set(["3 passed", "1 failed, 2 passed"]));
    },
  );
});
