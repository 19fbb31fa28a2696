import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

/** In its first turn an engine without a sandbox changes the templates and reviewers; each prompt is saved. */
const TAMPERS = String.raw`
  plan(t) {
    const { mkdirSync, writeFileSync } = process.getBuiltinModule("node:fs");
    const wisp = t.home + "/../..";
    mkdirSync(wisp + "/templates", { recursive: true });
    for (const name of ["build", "review-milestone", "test"]) {
      writeFileSync(wisp + "/templates/" + name + ".md", "TAMPERED {{reviewers}}\n");
    }
    writeFileSync(wisp + "/reviewers/mine.md", "---\nlevel: blocking\n---\n\nTAMPERED\n");
    t.plan("## Milestone: One\n\n- [ ] Say hello\n");
  },
  build(t) {
    keep(t);
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
  "review-commit": looked,
  "review-milestone": looked,
  test: looked,
  "final-test": looked,
};

function looked(t) {
  keep(t);
  t.purpose.startsWith("review-") ? t.allPass() : t.passed();
}

function keep(t) {
  const name = [t.purpose, t.unit].join(" ").replace(/[^a-z0-9]+/gi, "-");
  t.put(process.env.HOME + "/../prompts/" + name, t.prompt);
}

const nothing = {
`;

const FILES = {
  ".wisp/templates/build.md": "The person's own words.\n\n{{tasks}}\n",
  ".wisp/templates/notes.txt": "No template.\n",
  ".wisp/reviewers/mine.md": "---\nlevel: blocking\n---\n\nLook for what the person minds.\n",
};

function promptsOf({ root }: ProcessSession): string {
  const folder = join(root, "prompts");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}

function stateOf(session: ProcessSession): string {
  const text: unknown = JSON.parse(session.read("session.json"));
  return typeof text === "object" && text !== null && "state" in text ? String(text.state) : "";
}

test("roles use the templates and reviewers that existed at the start, even if the files change", async () => {
  await using session = processSession({ scenario: TAMPERS, files: FILES });
  mkdirSync(join(session.root, "prompts"));
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  const prompts = promptsOf(session);
  expect(prompts).toContain("The person's own words.");
  expect(prompts).toContain("Look for what the person minds.");
  expect(prompts).not.toContain("TAMPERED");
  const frozen = join(stateOf(session), "prompts");
  expect(readdirSync(join(frozen, "templates"))).toEqual(["build.md"]);
  expect(readdirSync(join(frozen, "reviewers"))).toContain("mine.md");
});

test("a session without frozen prompts, as older ones, uses the files of the checkout", async () => {
  await using session = processSession({ scenario: TAMPERS, files: FILES });
  mkdirSync(join(session.root, "prompts"));
  expect(await session.wisp("start", "request.md", "--no-up")).toMatchObject({ code: 0 });
  const frozen = join(stateOf(session), "prompts");
  expect(existsSync(frozen)).toBe(true);
  rmSync(frozen, { recursive: true });
  await session.wisp("up");
  expect(promptsOf(session)).toContain("TAMPERED");
});
