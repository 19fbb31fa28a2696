import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanGitConfig } from "../../src/sandbox/clean-git-config.ts";
import { trackedPaths } from "../../src/sandbox/tracked-paths.ts";

const NAMES = [
  ".env",
  "a/.env",
  "a/.env.local",
  "a/b/c.txt",
  "ab",
  "long/".repeat(20) + "name",
  "ü.txt",
];

/** The index that git writes in this version, of these files. */
function indexOf(version: number, format: "sha1" | "sha256"): Buffer {
  const directory = mkdtempSync(join(tmpdir(), "wisp-"));
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, {
      cwd: directory,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  try {
    git("init", "-q", `--object-format=${format}`);
    writeFileSync(join(directory, "x"), "");
    const id = git("hash-object", "-w", "x").trim();
    for (const name of NAMES) git("update-index", "--add", "--cacheinfo", `100644,${id},${name}`);
    git("update-index", "--index-version", String(version));
    return readFileSync(join(directory, ".git", "index"));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test.each([
  [2, "sha1", 20],
  [4, "sha1", 20],
  [2, "sha256", 32],
  [4, "sha256", 32],
] as const)("an index of version %d with %s tells its paths", (version, format, hashBytes) => {
  expect(trackedPaths(indexOf(version, format), hashBytes)).toEqual(new Set(NAMES));
});

test("what is no index tells nothing, and breaks nothing", () => {
  const index = indexOf(2, "sha1");
  fc.assert(
    fc.property(fc.nat(index.length), fc.uint8Array({ maxLength: 40 }), (at, bytes) => {
      const broken = Buffer.concat([index.subarray(0, at), bytes]);
      const paths = trackedPaths(broken, 20);
      return paths === undefined || paths.size <= NAMES.length;
    }),
  );
  expect(trackedPaths(Buffer.from("not an index at all"), 20)).toBeUndefined();
});

test("of a configuration of git everything goes but what tools need and what is no secret", () => {
  const listed = [
    "user.name\nA Person",
    'filter.lfs.clean\ngit-lfs clean -- "%f"',
    "url.https://token@example.invalid/.insteadof\nx:",
    "http.https://example.invalid.extraheader\nAUTHORIZATION: basic x",
    "credential.helper\nstore",
    "core.askpass\n/bin/tell",
    "core.autocrlf\ninput",
    "alias.x\n!echo",
    "user.token\nx",
    "",
  ];
  expect(cleanGitConfig(listed.join("\0"))).toBe(
    [
      ...["[user]", '\tname = "A Person"'],
      ...['[filter "lfs"]', '\tclean = "git-lfs clean -- \\"%f\\""'],
      ...["[core]", '\tautocrlf = "input"', ""],
    ].join("\n"),
  );
});
