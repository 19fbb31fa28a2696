import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workingBubblewrap } from "../rig/sandboxed.ts";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

const bubblewrap = await workingBubblewrap();

/**
 * Three milestones, of which the last adds a manifest; the engine leaves an ignored file in its clone, which makes
 * the check fail.
 */
const SCENARIO = String.raw`
  plan: (t) => t.plan(
    ["One", "Two", "Three"].map((name) => "## Milestone: " + name + "\n\n- [ ] Do " + name + "\n").join("\n")),
  build(t) {
    t.put(t.attempt + "-" + t.milestone + ".txt", "done\n");
    if (t.milestone === "Three") t.put("packages/deep/package.json", "{}\n");
    t.put("planted.ignored", "");
    t.commit("Do " + t.milestone);
    t.tick();
  },`;

/** A setup command that prints which manifests there are. */
const SAYS = `import { existsSync } from "node:fs";
console.log(existsSync("packages/deep") ? "set up with the deep one" : "set up without it");
`;

const PROJECTS = {
  JavaScript: {
    files: {
      ".gitignore": "node_modules/\ndist/\n*.ignored\n",
      "package.json": JSON.stringify({
        name: "project",
        private: true,
        main: "dist/index.js",
        scripts: { build: "node build.js", test: "node check.js" },
        dependencies: { dep: "file:./vendor/dep" },
      }),
      "vendor/dep/package.json": JSON.stringify({ name: "dep", version: "1.0.0" }),
      "vendor/dep/index.js": "module.exports = 1;\n",
      "build.js":
        'require("fs").mkdirSync("dist"); require("fs").writeFileSync("dist/index.js", "module.exports = require(\\"dep\\");");\n',
      "check.js":
        'if (require("fs").existsSync("planted.ignored")) process.exit(9);\nif (require("./dist/index.js") !== 1) process.exit(1);\nconsole.log("checked in " + process.cwd());\n',
    },
    config: "setup: [[npm, install, --no-package-lock, --offline, --no-audit], [node, says.mjs]]\n",
  },
  Python: {
    files: {
      ".gitignore": ".venv/\ngenerated.py\n__pycache__/\n*.ignored\n",
      "pyproject.toml": '[project]\nname = "project"\nversion = "1"\n',
      "install.py":
        'import pathlib, shutil, subprocess, sys\nsubprocess.run([sys.executable, "-m", "venv", "--without-pip", ".venv"], check=True)\nsite = next(pathlib.Path(".venv/lib").glob("python*/site-packages"))\nshutil.copy("vendor/dep.py", site)\n',
      "vendor/dep.py": "VALUE = 1\n",
      "build.py": 'open("generated.py", "w").write("from dep import VALUE\\n")\n',
      "check.py":
        'import os, generated\nassert not os.path.exists("planted.ignored")\nassert generated.VALUE == 1\nprint("checked in " + os.getcwd())\n',
    },
    config:
      "setup: [[python3, install.py], [node, says.mjs]]\nbuild: [.venv/bin/python, build.py]\nverify: [.venv/bin/python, check.py]\n",
  },
} as const;

function outputs(session: ProcessSession): readonly string[] {
  const turns = join(session.home(), "logs", "turns");
  return readdirSync(turns)
    .filter((name) => /^\d.*-verify-[0-9a-f]+\.out$/u.test(name))
    .map((name) => readFileSync(join(turns, name), "utf8"));
}

/** What each setup of a tree printed, in order. */
function setups(session: ProcessSession, tree: number): readonly string[] {
  const text = session.read(`logs/turns/setup-verify-${String(tree)}.out`);
  return text.match(/^set up with.*$/gmu) ?? [];
}

const SANDBOXES = ["none", ...("path" in bubblewrap ? ["bubblewrap"] : [])];

test.each(
  (["JavaScript", "Python"] as const).flatMap((language) =>
    SANDBOXES.map((sandbox) => [language, sandbox] as const),
  ),
)(
  "a %s project with sandbox %s is set up, built and verified in a separate tree, and set up again only if a manifest changes",
  async (language, sandbox) => {
    const { files, config } = PROJECTS[language];
    // Engines of tests write where no sandbox would let them; the sandbox here confines the project's commands.
    await using session = processSession({
      scenario: SCENARIO,
      files: { ...files, "says.mjs": SAYS },
      config,
      sandbox,
    });
    const ended = await session.wisp("start", "request.md");
    expect(ended).toMatchObject({ code: 0 });
    expect(checkSession(session.home()).broken).toBeUndefined();
    const printed = outputs(session);
    expect(printed.length).toBeGreaterThanOrEqual(4);
    for (const text of printed) {
      const [, hash = "", sha = ""] = /^tree (\w+) commit (\w+) setup \w+\n/u.exec(text) ?? [];
      expect(session.git("rev-parse", `${sha}^{tree}`).trim()).toBe(hash);
      expect(text).toMatch(/checked in .*\/verify\/[12]\/tree\n/u);
    }
    // The first tree is used whenever it is free.
    expect(setups(session, 1)).toEqual(["set up without it", "set up with the deep one"]);
    // The second one, too, is set up at most once for each.
    const second = setups(session, 2);
    expect(second).toEqual([...new Set(second)]);
  },
);
