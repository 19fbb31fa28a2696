import { expect, test } from "vitest";
import type { Change } from "../../agents/publish-change.ts";
import { checkedTests } from "./checked-tests.ts";
import { PYTEST_VERSION, runsHere } from "../../rig/runs-here.ts";

const PYTHON = {
  "cart.py": "def total(numbers):\n    return sum(numbers)\n",
  "main.py": "from cart import total\nprint(total([1]))\n",
  "tests/test_cart.py":
    "import sys\nsys.path.insert(0, '.')\nfrom cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
};
const BROKEN = { "cart.py": "def total(numbers):\n    return 0\n" };
const UNITTEST = {
  ...PYTHON,
  "tests/__init__.py": "",
  "tests/test_cart.py":
    "import unittest\nfrom cart import total\n\n\nclass CartTest(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([1, 2]), 3)\n",
};
const HAS_PYTHON = runsHere(["python3", "--version"]);
const HAS_PYTEST = runsHere(PYTEST_VERSION);
const BY_UNITTEST = [["python3", "-m", "unittest", "discover", "-v"]];
const BY_PYTEST = [["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"]];
const FAKE = "def main():\n    pass\n\n\nclass TestCase:\n    pass\n";
const HELPER = {
  "support/check.py": "def check(actual, expected):\n    assert actual == expected\n",
  "support/__init__.py": "",
  "tests/test_cart.py":
    "import sys\nsys.path.insert(0, '.')\nfrom support.check import check\nfrom cart import total\n\n\ndef test_total():\n    check(total([1, 2]), 3)\n",
};

test.for<
  readonly [string, readonly (readonly string[])[], Readonly<Record<string, string>>, Change]
>([
  ["a new unittest.py", BY_UNITTEST, UNITTEST, { "unittest.py": FAKE }],
  [
    "a new package unittest",
    BY_UNITTEST,
    UNITTEST,
    { "unittest/__init__.py": FAKE, "unittest/__main__.py": "" },
  ],
  [
    "a new sitecustomize.py",
    BY_UNITTEST,
    UNITTEST,
    {
      "sitecustomize.py":
        "import unittest.case, os\nunittest.case.TestCase.assertEqual = lambda *a: None\n",
    },
  ],
  ["a new pytest.py", BY_PYTEST, PYTHON, { "pytest.py": "" }],
  [
    "a new conftest.py that collects nothing",
    BY_PYTEST,
    PYTHON,
    {
      "conftest.py":
        'collect_ignore_glob = ["*"]\ndef pytest_sessionfinish(session):\n    session.exitstatus = 0\n',
    },
  ],
  ["a new pytest.ini", BY_PYTEST, PYTHON, { "pytest.ini": "[pytest]\naddopts = --co\n" }],
  [
    "a section of pyproject.toml",
    BY_PYTEST,
    PYTHON,
    {
      "pyproject.toml":
        '[project]\nname = "x"\nversion = "1"\n\n[tool.pytest.ini_options]\naddopts = "--co"\n',
    },
  ],
  [
    "a section of setup.cfg",
    BY_PYTEST,
    { ...PYTHON, "setup.cfg": "[metadata]\nname = x\n" },
    { "setup.cfg": "[metadata]\nname = x\n\n[tool:pytest]\naddopts = --co\n" },
  ],
  [
    "a helper that only tests import",
    BY_PYTEST,
    { ...PYTHON, ...HELPER },
    { "support/check.py": "def check(actual, expected):\n    pass\n" },
  ],
])(
  "verify that was hollowed out by %s is revealed by the old tests with their old harness",
  async ([, verify, base, change], { skip }) => {
    skip(!HAS_PYTHON || (verify === BY_PYTEST && !HAS_PYTEST), "Python or pytest is not here");
    const { findings, ran } = await checkedTests({
      verify,
      base,
      change: { ...BROKEN, ...change },
    });
    expect(ran).toEqual(["failed by old harness"]);
    expect(findings).toMatchObject([{ level: "blocking", reviewer: "tests", category: "Tests" }]);
  },
);
