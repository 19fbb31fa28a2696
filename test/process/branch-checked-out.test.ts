import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { processSession } from "../rig/process-session.ts";
import { WHOLE_RUN } from "./scenarios.ts";

/** The whole run, whose fix of a finding waits in its turn until it may go on. */
const waitingIn = (folder: string) =>
  WHOLE_RUN.replace(
    "fix(t) {",
    `async fix(t) {
    const { existsSync, writeFileSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    writeFileSync("${folder}/fixing", "");
    while (!existsSync("${folder}/go")) await setTimeout(20);`,
  );

const configIn = (folder: string) => `
verify: [sh, -c, 'echo run >> ${folder}/verified']
notify: [sh, -c, 'printf "%s\\n" "$1" >> ${folder}/notices', notify]
`;

const Status = z.object({ state: z.string(), heldAt: z.string(), next: z.array(z.string()) });

test("while a person has the branch checked out, a finished fix is verified once, and the person is told once how to free it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wisp-gates-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await using session = processSession({
    scenario: waitingIn(folder),
    config: configIn(folder),
    sandbox: "none",
  });
  const lines = (name: string) => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  };
  session.spawn("start", "request.md", "--plain", "--yes");
  await session.until("a fix", () => existsSync(join(folder, "fixing")));
  const mine = join(session.root, "mine");
  session.git("worktree", "add", "-q", mine, "wisp/a-request");
  writeFileSync(join(folder, "go"), "");
  await session.until("the notice", () => lines("notices").length > 0);
  const free = `git -C ${mine} switch --detach`;
  expect(lines("notices")).toEqual([
    `wisp: a-request: nothing can be published while its branch is checked out: ${free}`,
  ]);
  const verified = lines("verified").length;
  const shown = await session.wisp("status", "--json");
  const status = Status.parse(JSON.parse(shown.stdout));
  expect(status).toEqual({ state: "NEEDS_INPUT", heldAt: mine, next: [free] });
  const { stdout } = await session.wisp("status");
  expect(stdout).toContain("NEEDS_INPUT (the branch is checked out)");
  expect(lines("verified")).toHaveLength(verified);

  session.git("-C", mine, "switch", "-q", "--detach");
  await session.until("the end", () => lines("notices").some((line) => / is complete/u.test(line)));
  expect(session.read("logs/builder.log").match(/ unit\.wait .* held=/gu)).toHaveLength(1);
  expect(lines("notices").filter((line) => line.includes("checked out"))).toHaveLength(1);
});
