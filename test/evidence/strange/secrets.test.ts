import fc from "fast-check";
import { expect, test } from "vitest";
import type { PatchedCommit, PatchedFile } from "../../../src/base/ports/patches.ts";
import { findSecrets } from "../../../src/evidence/strange/secrets.ts";
import { sha } from "../../rig/records.ts";

/** Keeps texts apart that a scanner of this repository would take for real ones. */
const GAP = "";

const RANDOM = "Zq7Rk2Vw9Xc4Bn8Lm3Tp6Yd1HgJf5KsQaWeEuRtNoPi";
const LONG = `${RANDOM}${RANDOM.toLowerCase()}`;
/** Put together here, so that no scanner of this repository takes them for real ones. */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  "AWS access key": [`AK${GAP}IAQZ7RK2VW5XC4BN3L`, `AS${GAP}IAQZ7RK2VW5XC4BN3L`],
  "GitHub token": [
    ...["p", "o", "s"].map((kind) => `gh${kind}_${RANDOM.slice(0, 36)}`),
    `github_${GAP}pat_${RANDOM.slice(0, 22)}_${LONG.slice(0, 59)}`,
  ],
  "GitLab token": [`gl${GAP}pat-${RANDOM.slice(0, 20)}`],
  "Slack token": [`xo${GAP}xb-9081726354-${RANDOM.slice(0, 24)}`],
  "Stripe key": [`sk_${GAP}live_${RANDOM.slice(0, 24)}`, `rk_${GAP}live_${RANDOM.slice(0, 24)}`],
  "Google API key": [`AI${GAP}za${RANDOM.slice(0, 35)}`],
  "npm token": [`np${GAP}m_${RANDOM.slice(0, 36)}`],
  "PyPI token": [`py${GAP}pi-AgE${LONG.slice(0, 60)}`],
  "Anthropic API key": [`sk-${GAP}ant-api03-${LONG.slice(0, 60)}`],
  "OpenAI API key": [`sk-${GAP}proj-${LONG.slice(0, 60)}`, `s${GAP}k-${LONG.slice(0, 48)}`],
};

const HEAD = (kind: string) => `-----BEGIN ${kind}PRIVATE ${GAP}KEY-----`;

function file(
  path: string,
  added: readonly string[],
  removed: readonly string[] = [],
): PatchedFile {
  return { path, added: added.map((text, at) => ({ line: at + 1, text })), removed };
}

function commit(n: number, ...files: readonly PatchedFile[]): PatchedCommit {
  return { sha: sha(n), email: "ada@example.org", message: "", files };
}

test.each(Object.entries(TOKENS))(
  "a %s is named by its place, and is not repeated",
  (form, tokens) => {
    for (const token of tokens) {
      const own = file("src/a.js", ["const a = 1;", `const key = "${token}";`]);
      const found = findSecrets([commit(1, own)], [own]);
      expect(found).toEqual([
        { path: "src/a.js", line: 2, form, isGone: false, commits: [sha(1)] },
      ]);
      expect(JSON.stringify(found)).not.toContain(token.slice(6, 20));
    }
  },
);

test.each(["", "RSA ", "OPENSSH ", "EC ", "ENCRYPTED "])(
  "a private key of the form %j is named",
  (kind) => {
    const own = file("key.pem", ["# mine", HEAD(kind), RANDOM, "-----END-----"]);
    expect(findSecrets([commit(1, own)], [own])).toMatchObject([{ line: 2, form: "private key" }]);
    const inCode = file("a.js", [`const key = "${HEAD(kind)}\\n${RANDOM}";`]);
    expect(findSecrets([], [inCode])).toMatchObject([{ line: 1, form: "private key" }]);
  },
);

test("code that looks for a key holds none", () => {
  const own = file("a.js", [`if (text.includes("${HEAD("")}"))`, "  return refuse();"]);
  expect(findSecrets([], [own])).toEqual([]);
});

test.each([".env", "api/.env", ".env.local", ".env.production"])(
  "%s is a secret as a whole",
  (path) => {
    expect(findSecrets([], [file(path, ["A=1"])])).toMatchObject([
      { path, form: "environment file", line: undefined },
    ]);
  },
);

test.each([
  ".env.example",
  ".env.sample",
  "x/.env.template",
  ".env.dist",
  ".envrc",
  "env",
  "a.env.ts",
])("%s is none", (path) => {
  expect(findSecrets([], [file(path, ["A=1"])])).toEqual([]);
});

test("placeholders, and examples of documentation, are no secrets", () => {
  const lines = [
    `AK${GAP}IAIOSFODNN7EXAMPLE`,
    `gh${GAP}p_${"x".repeat(36)}`,
    `gh${GAP}p_abcdefghijklmnopqrstuvwxyz0123456789`,
    `sk_${GAP}live_${"0".repeat(24)}`,
    "task-management-of-a-very-long-name-that-is-no-token-at-all",
  ];
  expect(findSecrets([], [file("a.md", lines)])).toEqual([]);
});

test("what was there before is not named, wherever it goes; what was removed again is", () => {
  const [token = ""] = TOKENS["GitHub token"] ?? [];
  const moved = [file("new.js", [token]), file("old.js", [], [token])];
  expect(findSecrets([commit(1, ...moved)], moved)).toEqual([]);
  const edited = file("a.js", [`${token} // twice`], [token]);
  expect(findSecrets([commit(1, edited)], [edited])).toEqual([]);
  const brought = commit(1, file("a.js", [token]));
  const taken = commit(2, file("a.js", [], [token]));
  expect(findSecrets([brought, taken], [])).toMatchObject([{ isGone: true, commits: [sha(1)] }]);
  // Moved within the range, it is named where it is.
  const there = commit(2, file("a.js", [], [token]), file("b.js", ["", token]));
  expect(findSecrets([brought, there], [file("b.js", ["", token])])).toMatchObject([
    { path: "b.js", line: 2, isGone: false, commits: [sha(1)] },
  ]);
});

test("any text is looked at, and ordinary words hold no secret", () => {
  const words = fc.array(fc.lorem({ mode: "sentences" }), { maxLength: 5 });
  fc.assert(fc.property(words, (lines) => findSecrets([], [file("a.md", lines)]).length === 0));
  const any = fc.array(fc.string({ unit: "binary" }), { maxLength: 5 });
  fc.assert(
    fc.property(any, any, (added, removed) => {
      const own = file("a", added, removed);
      const found = findSecrets([commit(1, own)], [own]);
      expect(found.filter(({ path, isGone }) => path !== "a" || isGone)).toEqual([]);
    }),
  );
});
