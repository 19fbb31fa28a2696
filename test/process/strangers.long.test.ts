import { expect, test } from "vitest";
import { z } from "zod";
import { processSession } from "../rig/process-session.ts";

/** Keeps texts apart that a scanner of this repository would take for real ones. */
const GAP = "";

/** What the person's repository has: documents, a manifest, settings of lint, and sources with old sins. */
const FILES = {
  "README.md": "# Greetings\n",
  LICENSE: "Do as you like.\n",
  "docs/guide.md": "# Guide\n\nSay hello.\n",
  "package.json": '{ "name": "greetings", "dependencies": { "kept": "1.0.0" } }\n',
  "pyproject.toml": '[project]\nname = "greetings"\ndependencies = ["kept>=1"]\n',
  "eslint.config.js": "export default [];\n",
  "old.js": `// eslint-${GAP}disable-next-line no-alert\nalert(1);\n`,
};

/** Secrets and strangers of each kind; every text that looks like one is put together when it runs. */
const LIAR = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    const random = "Zq7Rk2Vw9Xc4Bn8Lm3Tp6Yd1HgJf5KsQaWeEu";
    const token = "ghp" + "_" + random.slice(0, 36);
    t.put("hello.txt", "hello\n");
    t.put(".env", "DB_PASSWORD=swordfish\n");
    t.git("add", "-f", ".env");
    t.put("src/client.js", "const a = 1;\nconst token = '" + token + "';\n");
    t.put("src/gone.js", "const key = '" + "AKIA" + "QZ7RK2VW5XC4BN3L" + "';\n");
    t.commit("Say hello\n\nReviewed-by: Ada Lovelace <ada@example.org>\nReviewed-by: Grace <grace@example.org>");
    t.put("src/gone.js", "const key = process.env.KEY;\n");
    t.put("src/access.js", "if (level !== 'user" + String.fromCodePoint(0x202e, 0x2066) + "// admin') deny();\n");
    t.put("src/loose.ts", "// @ts-" + "nocheck\n/* eslint-" + "disable */\nexport const x = 1;\n");
    t.put("package.json", '{ "name": "greetings", "dependencies": { "kept": "1.1.0", "left-pad": "1.3.0" } }\n');
    t.put("pyproject.toml", '[project]\nname = "greetings"\ndependencies = ["kept>=2", "Requests>=2"]\n');
    t.put("eslint.config.js", "export default [{ rules: {} }];\n");
    t.git("rm", "-q", "README.md", "LICENSE", "docs/guide.md");
    t.commit("Say it better");
    t.tick();
  },
`;

const NAMED = [
  ".env (secret: environment file): ",
  "src/client.js:2 (secret: GitHub token): ",
  "src/gone.js:1 (secret: AWS access key, removed since, but it stays in the history): ",
  "Reviewed-by: Ada Lovelace <ada@example.org> (written into a commit message, not said by anybody): ",
  "src/access.js:1 (1 line with characters that reorder what is shown): ",
  "new dependency left-pad (package.json): ",
  "new dependency requests (pyproject.toml): ",
  "src/loose.ts (lint or types switched off twice: @ts-nocheck, eslint-disable): ",
  "eslint.config.js (settings of lint or types changed): ",
  "LICENSE (deleted, and nobody asked for it): ",
  "README.md (deleted, and nobody asked for it): ",
  "docs/guide.md (deleted, and nobody asked for it): ",
];
const KINDS = [
  "secret",
  "trailer",
  "hidden order",
  "dependency",
  "switched off",
  "check settings",
  "lost document",
];

test("secrets and strangers in the work are named in every view of finished work, and no secret is shown", async () => {
  await using session = processSession({ scenario: LIAR, files: FILES });
  const { code, stdout } = await session.wisp("start", "request.md");
  expect(code).toBe(0);
  const run = async (...args: readonly string[]) => (await session.wisp(...args)).stdout;
  const views = {
    end: stdout,
    status: await run("status"),
    review: await run("review", "--stat"),
    done: await run("done", "--dry-run", "--no-push"),
  };
  const page = session.read("report.html");
  for (const path of ["src/client.js:2 (secret", "README.md (deleted", "new dependency left-pad"])
    expect(page).toContain(path);
  for (const [name, text] of Object.entries(views))
    for (const line of NAMED)
      expect({ name, text: text.includes(line) ? line : text }).toEqual({ name, text: line });
  const json = {
    status: await run("status", "--json"),
    review: await run("review", "--stat", "--json"),
    done: await run("done", "--dry-run", "--no-push", "--json"),
    report: await run("report", "--json"),
  };
  for (const [name, text] of Object.entries(json))
    for (const kind of KINDS)
      expect({ name, kind, isNamed: new RegExp(`"kind": ?"${kind}"`, "u").test(text) }).toEqual({
        ...{ name, kind, isNamed: true },
      });
  const { body } = z.object({ body: z.string() }).parse(JSON.parse(json.done));
  const escaped = { body, markdown: await run("report") };
  for (const text of Object.values(escaped)) {
    expect(text).toContain("- `src/client.js:2` (secret: GitHub token): ");
    expect(text).toContain("- new dependency `left-pad` (`package.json`): ");
    expect(text).toContain("- `README.md` (deleted, and nobody asked for it): ");
  }
  const shown = [page, ...Object.values(views), ...Object.values(json), ...Object.values(escaped)];
  for (const text of shown) {
    expect(text).not.toMatch(/ghp_Zq7|AKIAQZ|swordfish/u);
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u);
  }
});

/** Does what looks alike: a template of an environment, a version, a moved guide, a removal that was asked for. */
const HONEST = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("hello.txt", "hello\n");
    t.put(".env.example", "DB_PASSWORD=\n");
    t.put("src/aws.js", "const key = '" + "AKIA" + "IOSFODNN7EXAMPLE" + "';\n");
    t.put("package.json", '{ "name": "greetings", "dependencies": { "kept": "1.1.0" } }\n');
    t.put("src/old.js", "// eslint-" + "disable-next-line no-alert\nalert(1);\n");
    t.git("rm", "-q", "old.js", "LICENSE");
    t.git("mv", "docs/guide.md", "docs/start.md");
    t.git("add", "-A");
    t.git("commit", "-qsm", "Say hello");
    t.tick();
  },
`;

test("work without secrets and strangers names none", async () => {
  await using session = processSession({
    scenario: HONEST,
    files: { ...FILES, "request.md": "# Hello\n\nSay hello, and delete the LICENSE.\n" },
  });
  const { code, stdout } = await session.wisp("start", "request.md");
  expect(code).toBe(0);
  expect(stdout).not.toContain("look at");
  const status: unknown = JSON.parse((await session.wisp("status", "--json")).stdout);
  expect(status).toMatchObject({ unusual: [], sensitive: [] });
});
