import { posix } from "node:path";
import { statementsTaken } from "./taken-imports.ts";
import type { CanaryTest, TestFile, TestRunner } from "./test-language.ts";

const pytest: TestRunner = {
  name: "pytest",
  isStartedBy: (_, names) => names.has("pytest") || names.has("py.test"),
  isOwn: ({ path }) => /(?:^|\/)(?:test_[^/]+|[^/]+_test)\.py$/.test(path),
  plantBeside: (file, name) => {
    const title = `test_${name}`;
    return planted(file, name, { title, text: `def ${title}():\n    assert 1 == 2\n` });
  },
  plantOn: (file, name, loaded) =>
    plantedOn(file, name, { loaded, textOf: isOfUnittest(file) ? caseOf : functionOf }),
};

const unittest: TestRunner = {
  name: "unittest",
  isStartedBy: (words, names) =>
    words.includes("unittest") && [...names].some((name) => /^python[\d.]*$/.test(name)),
  isOwn: (file) => /(?:^|\/)test[^/]*\.py$/.test(file.path) && isOfUnittest(file),
  plantBeside: (file, name) => {
    const title = `test_${name}`;
    return planted(file, name, { title, text: `import unittest\n\n\n${caseOf(title)}` });
  },
  plantOn: (file, name, loaded) => plantedOn(file, name, { loaded, textOf: caseOf }),
};

/** Runners of Python. */
export const pythonRunners: readonly TestRunner[] = [pytest, unittest];

function isOfUnittest({ text }: TestFile): boolean {
  return /\bunittest\b/.test(text);
}

function planted(
  { path }: TestFile,
  name: string,
  test: Pick<CanaryTest, "title" | "text">,
): CanaryTest {
  const base = posix.basename(path).startsWith("test") ? `test_${name}.py` : `${name}_test.py`;
  return { path: posix.join(posix.dirname(path), base), ...test };
}

interface OnCode {
  readonly loaded: readonly TestFile[];
  readonly textOf: (title: string) => string;
}

function plantedOn(
  file: TestFile,
  name: string,
  { loaded, textOf }: OnCode,
): CanaryTest | undefined {
  const folder = posix.dirname(file.path);
  const statements = [...new Set(loaded.flatMap((each) => statementsTaken(each, folder)))];
  if (statements.length === 0) return undefined;
  const title = `test_${name}c`;
  const head = ["import unittest", ...statements].join("\n");
  return planted(file, name, { title, text: `${head}\n\n\n${textOf(title)}` });
}

function functionOf(title: string): string {
  return `def ${title}():\n    assert 1 == 2\n`;
}

/** Red only if each assertion can fail. */
function caseOf(title: string): string {
  return `class TestPlanted(unittest.TestCase):
    def ${title}(self):
        checks = (
            lambda: self.assertEqual(1, 2),
            lambda: self.assertNotEqual(1, 1),
            lambda: self.assertTrue(False),
            lambda: self.assertFalse(True),
            lambda: self.assertIs(1, None),
            lambda: self.assertIn(1, []),
            lambda: self.assertRaises(ValueError, int, "1"),
        )
        for check in checks:
            try:
                check()
            except AssertionError:
                continue
            return
        self.fail("stays red")
`;
}
