import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CassetteStep } from "../../src/engines/replay/cassette-schema.ts";
import type { ProcessSession } from "../rig/process-session.ts";
import { oneTask, put, replaySession } from "../rig/replay-session.ts";
import { SESSION_SANDBOXES } from "../rig/session-sandboxes.ts";

const sum = (sign: "+" | "-") => `def add(a, b):\n    return a ${sign} b\n`;
const FILES = {
  ".gitignore": ".venv/\n",
  "pyproject.toml": '[project]\nname = "shop"\nversion = "0.1"\n',
  "src/shop/__init__.py": sum("+"),
  "tests/test_shop.py":
    "import unittest, shop\nclass Sums(unittest.TestCase):\n" +
    "    def test_adds(self):\n        self.assertEqual(shop.add(1, 2), 3, shop.__file__)\n",
};

/** Fails the turn unless Python loads the package from the clone. */
const LOADS_ITS_OWN: CassetteStep = {
  run: {
    argv: [
      ...["python3", "-c"],
      "import os, shop; assert shop.__file__.startswith(os.getcwd() + '/'), shop.__file__",
    ],
  },
};

/** Installs the package of the checkout editable, in an environment that is active. */
function install(session: ProcessSession, folder: string): void {
  const environment = join(folder, ".venv");
  execFileSync("python3", ["-m", "venv", "--without-pip", "--system-site-packages", environment]);
  const [python = ""] = readdirSync(join(environment, "lib"));
  const packages = join(environment, "lib", python, "site-packages");
  writeFileSync(join(packages, "shop.pth"), `${join(session.repository, "src")}\n`);
  Object.assign(session.env, {
    VIRTUAL_ENV: environment,
    PATH: `${join(environment, "bin")}:${session.env["PATH"] ?? ""}`,
  });
}

const INSTALLS: readonly (readonly [string, (session: ProcessSession) => void])[] = [
  ["installed editable, in the checkout", (session) => install(session, session.repository)],
  ["installed editable, in the home", (session) => install(session, session.env["HOME"] ?? "")],
  [
    "found by PYTHONPATH",
    ({ env, repository }) => Object.assign(env, { PYTHONPATH: join(repository, "src") }),
  ],
];

describe.each(SESSION_SANDBOXES)("$where", ({ sandbox, isThere }) => {
  test.runIf(isThere).each(INSTALLS)(
    "a project of Python that is %s: a broken commit is red, and a turn loads its own clone",
    async (_how, prepare) => {
      await using session = replaySession({
        ...{ files: FILES, sandbox },
        turns: oneTask("Say more", LOADS_ITS_OWN, put("src/shop/__init__.py", sum("-"))),
        config:
          "setup: false\nverify: [python3, -m, unittest, discover, -s, tests]\n" +
          "attempts: { build: 1 }\n",
      });
      prepare(session);
      const { code } = await session.wisp("start", "request.md");
      expect(code).not.toBe(0);
      const log = readFileSync(join(session.home(), "logs/builder.log"), "utf8");
      expect(log).toMatch(/verify\.result .*outcome=passed/u);
      expect(log).toMatch(/verify\.result .*outcome=failed/u);
      // The turn itself went well: the assertion in it held.
      expect(log).toMatch(/build\.end .*outcome=(?!failed)/u);
    },
  );
});
