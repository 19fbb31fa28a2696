import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CassetteStep } from "../../src/engines/replay/cassette-schema.ts";
import { oneTask, put, replaySession } from "../rig/replay-session.ts";

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

const CASES = ["in the checkout", "in the home"].flatMap((where) =>
  // `auto` is bubblewrap where it works.
  ["none", "auto"].map((sandbox) => ({ where, sandbox })),
);

test.each(CASES)(
  "a project of Python that is installed editable, $where, with sandbox: $sandbox: a broken commit is red, and a turn loads its own clone",
  async ({ where, sandbox }) => {
    await using session = replaySession({
      ...{ files: FILES, sandbox },
      turns: oneTask("Say more", LOADS_ITS_OWN, put("src/shop/__init__.py", sum("-"))),
      config:
        "setup: false\nverify: [python3, -m, unittest, discover, -s, tests]\n" +
        "attempts: { build: 1 }\n",
    });
    const checkout = session.repository;
    const folder = where === "in the checkout" ? checkout : (session.env["HOME"] ?? "");
    const environment = join(folder, ".venv");
    execFileSync("python3", ["-m", "venv", "--without-pip", "--system-site-packages", environment]);
    const [python = ""] = readdirSync(join(environment, "lib"));
    const packages = join(environment, "lib", python, "site-packages");
    writeFileSync(join(packages, "shop.pth"), `${join(checkout, "src")}\n`);
    Object.assign(session.env, {
      VIRTUAL_ENV: environment,
      PATH: `${join(environment, "bin")}:${session.env["PATH"] ?? ""}`,
    });
    const { code } = await session.wisp("start", "request.md");
    expect(code).not.toBe(0);
    const log = readFileSync(join(session.home(), "logs/builder.log"), "utf8");
    expect(log).toMatch(/verify\.result .*outcome=passed/u);
    expect(log).toMatch(/verify\.result .*outcome=failed/u);
    // The turn itself went well: the assertion in it held.
    expect(log).toMatch(/build\.end .*outcome=(?!failed)/u);
  },
);
