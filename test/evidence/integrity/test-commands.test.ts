import fc from "fast-check";
import { expect, test } from "vitest";
import {
  testCommandsIn,
  withTestCommandsOf,
} from "../../../src/evidence/integrity/test-commands.ts";

const PACKAGE = JSON.stringify({
  name: "x",
  scripts: { build: "tsc", test: "vitest", pretest: "b" },
});

test("scripts of a package.json that run tests are restored; everything else stays as it is now", () => {
  const now = JSON.stringify({
    type: "module",
    scripts: { build: "swc", test: "true", "test:new": "n" },
    dependencies: { a: "1" },
  });
  const restored: unknown = JSON.parse(withTestCommandsOf("package.json", PACKAGE, now) ?? "");
  expect(restored).toEqual({
    type: "module",
    scripts: { build: "swc", test: "vitest", "test:new": "n", pretest: "b" },
    dependencies: { a: "1" },
  });
});

test("new scripts around a test command are removed, also around other commands that verify calls", () => {
  const before = JSON.stringify({ scripts: { test: "a", unit: "b" } });
  const after = JSON.stringify({
    scripts: { test: "a", pretest: "c", unit: "d", postunit: "e", prebuild: "f" },
  });
  const scriptsOf = (text: string | undefined): unknown => JSON.parse(text ?? "");
  expect(scriptsOf(withTestCommandsOf("package.json", before, after))).toEqual({
    scripts: { test: "a", unit: "d", postunit: "e", prebuild: "f" },
  });
  const called = new Set(["unit"]);
  expect(scriptsOf(withTestCommandsOf("package.json", before, after, called))).toEqual({
    scripts: { test: "a", unit: "b", prebuild: "f" },
  });
});

test("if no test command changed, there is nothing to restore", () => {
  const now = PACKAGE.replace("tsc", "swc");
  expect(withTestCommandsOf("package.json", PACKAGE, now)).toBeUndefined();
  expect(withTestCommandsOf("src/a.js", "test:\n\tx\n", "test:\n\ty\n")).toBeUndefined();
});

const MAKEFILE = "all: build\n\ntest: build\n\tnode --test\n\tnode more\n\nbuild:\n\ttsc\n";

test("recipes of a Makefile are commands, including their prerequisites", () => {
  expect([...testCommandsIn("Makefile", MAKEFILE)]).toEqual([
    ["test", "test: build\n\tnode --test\n\tnode more"],
  ]);
  expect(testCommandsIn("Makefile", "test := x\n.PHONY: test\n").size).toBe(0);
  expect([...testCommandsIn("justfile", "test *args:\n    node --test\n").keys()]).toEqual([
    "test",
  ]);
});

test("a recipe is restored, even if it was removed", () => {
  const weak = MAKEFILE.replace("\tnode --test\n\tnode more", "\ttrue").replace("tsc", "swc");
  expect(withTestCommandsOf("Makefile", MAKEFILE, weak)).toBe(MAKEFILE.replace("tsc", "swc"));
  const without = "build:\n\ttsc\n";
  const restored = withTestCommandsOf("Makefile", MAKEFILE, without) ?? "";
  expect(testCommandsIn("Makefile", restored)).toEqual(testCommandsIn("Makefile", MAKEFILE));
});

test("restored files always define the former test commands", () => {
  const anyLine = fc.constantFrom(
    "test:",
    "\tnode",
    "test: a",
    "x := y",
    "",
    "# c",
    "check all:",
    "  z",
  );
  const anyText = fc.array(anyLine, { maxLength: 12 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      const restored = withTestCommandsOf("Makefile", before, after);
      const now = testCommandsIn("Makefile", restored ?? after);
      for (const [name, command] of testCommandsIn("Makefile", before)) {
        expect(now.get(name)).toBe(command);
      }
    }),
  );
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => void withTestCommandsOf("package.json", a, b)),
  );
});
