import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LINKS_FOLLOWED_MAX } from "../../src/base/limits.ts";
import { linkEnds, type TreeLinks } from "../../src/git/clone/link-target.ts";

const NONE = new Map<string, string>();

function linkEnd(path: string, target: string, links: TreeLinks) {
  return linkEnds(links)(path, target);
}

test.each([
  ["l", "a.txt"],
  ["l", "./a//b/../c"],
  ["a/l", "../b"],
  ["a/b/l", "../../c"],
  ["a/l", ".gitignore"],
  ["a/l", ".github/x"],
  ["l", "..."],
  ["l", ""],
  ["l", "~/.ssh"],
])("%s -> %s stays inside the tree", (path, target) => {
  expect(linkEnd(path, target, NONE)).toBeUndefined();
});

test.each([
  ["l", "/etc/passwd", "absolute"],
  ["l", "C:\\Windows", "absolute"],
  ["l", "c:x", "absolute"],
  ["l", "\\\\server\\share", "absolute"],
  ["l", "..", "outside"],
  ["a/l", "../../x", "outside"],
  ["a/l", "../../repository/x", "outside"],
  ["a/l", "..\\..\\x", "outside"],
  ["a/l", "none/../../../x", "outside"],
  ["a/l", "../.git/config", "git"],
  ["l", ".GIT/hooks", "git"],
  ["l", "vendor/lib/.git", "git"],
  ["l", "git~1/config", "git"],
] as const)("%s -> %s leaves the tree: %s", (path, target, end) => {
  expect(linkEnd(path, target, NONE)).toBe(end);
});

test("a link is followed through other links of the tree, wherever they lead", () => {
  const links = new Map<string, string | undefined>([
    ["a/b/up", "../.."],
    ["out", "/etc"],
    ["round", "turn/x"],
    ["turn", "round"],
    ["self", "self"],
    ["unread", undefined],
    ["in", "a/b"],
  ]);
  // Textually it is a/b/x, but it leads out of the tree.
  expect(linkEnd("a/b/l", "up/../x", links)).toBe("outside");
  expect(linkEnd("a/b/l", "up/x", links)).toBeUndefined();
  expect(linkEnd("l", "in/../../x", links)).toBeUndefined();
  expect(linkEnd("l", "in/../../../x", links)).toBe("outside");
  expect(linkEnd("l", "out/passwd", links)).toBe("absolute");
  expect(linkEnd("l", "round", links)).toBe("endless");
  expect(linkEnd("self", "self", links)).toBe("endless");
  expect(linkEnd("l", "unread/x", links)).toBe("unknown");
});

test("the maximum number of links, each of maximum length, takes few steps", () => {
  const deep = "a/".repeat(90);
  const links = new Map(
    Array.from({ length: LINKS_FOLLOWED_MAX }, (_, n) => [
      `${deep}l${String(n)}`,
      `${"x/".repeat(1_000)}x`,
    ]),
  );
  const endOf = linkEnds(links);
  for (const [path, says] of links) expect(endOf(path, says)).toBe("unknown");
  // Paths that are meant to use up memory are not followed at all.
  const deeper = Array.from(links, ([path]) => [path.repeat(2), "x"] as const);
  expect(linkEnds(new Map(deeper))("l", "x")).toBe("unknown");
});

test("links that repeat each other many times are given up as unknown", () => {
  const links = new Map(
    Array.from({ length: 60 }, (_, n) => [
      `l${String(n)}`,
      `l${String(n + 1)}/../l${String(n + 1)}/`.repeat(200),
    ]),
  );
  expect(linkEnd("l", "l0", links)).toBe("unknown");
  expect(linkEnd("l", "a/../".repeat(800), links)).toBe("unknown");
});

const PLACES = ["l", "m", "a/l", "a/m", "a/b/l", "a/b/m"];
const target = fc
  .array(fc.constantFrom("..", "..", ".", "a", "b", "l", "m", "l", "none", ""), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join("/"))
  .filter((text) => text !== "" && !text.startsWith("/"));

test("a link that the file system follows out of the tree is never reported to stay inside", () => {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "wisp-links-")));
  let [left, stayed] = [0, 0];
  try {
    let run = 0;
    fc.assert(
      fc.property(fc.array(target, { minLength: 6, maxLength: 6 }), (targets) => {
        const around = join(outside, String(run++));
        const root = join(around, "a", "b", "tree");
        for (const beside of ["a/b/a/b", "a/b/tree/a/b", "b"]) {
          mkdirSync(join(around, beside), { recursive: true });
        }
        const links = new Map(PLACES.map((path, index) => [path, targets[index] ?? ""]));
        for (const [path, to] of links) {
          mkdirSync(dirname(join(root, path)), { recursive: true });
          symlinkSync(to, join(root, path));
        }
        for (const [path, to] of links) {
          const real = realOf(join(root, path));
          const end = linkEnd(path, to, links);
          if (real === undefined) continue;
          const isIn = real === root || real.startsWith(`${root}/`);
          if (!isIn) expect(end, `${path} -> ${to} is ${real}`).toBeDefined();
          if (isIn) stayed++;
          else left++;
        }
      }),
      { numRuns: 300 },
    );
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
  // Both cases occurred.
  expect(Math.min(left, stayed)).toBeGreaterThan(20);
});

/** The final target of a link; undefined if it has none. */
function realOf(path: string): string | undefined {
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
