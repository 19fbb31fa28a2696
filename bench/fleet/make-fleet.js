// @ts-check
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A repository with requests for sessions, each of which has a home there once it has begun.
 * @typedef {{ readonly repository: string, readonly sessions: readonly string[] }} Fleet
 */

const MILESTONES = ["One", "Two", "Three"];
const PASSED = "### Verdict: PASSED\n\n### Findings\n\nNone\n";

/**
 * Makes a repository whose sessions the engine `replay` plays: three milestones of two tasks each.
 * @param {string} folder
 * @param {number} count
 * @returns {Fleet}
 */
export function makeFleet(folder, count) {
  const repository = join(folder, "repository");
  const settings = join(folder, "home/.config/wisp");
  const places = join(folder, "places");
  for (const made of [join(repository, ".wisp"), settings, places]) {
    mkdirSync(made, { recursive: true });
  }
  writeFileSync(
    join(settings, "config.yaml"),
    `executors:\n  cluster: { kind: slurm, root: ${places} }\n`,
  );
  const git = (/** @type {string[]} */ ...words) =>
    execFileSync("git", words, { cwd: repository, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Bench");
  git("config", "user.email", "bench@example.invalid");
  const config = "engine: replay\nsandbox: none\nmcp: { playwright: false }\n";
  writeFileSync(join(repository, ".wisp/config.yaml"), config);
  writeFileSync(join(repository, ".wisp/cassette.yaml"), JSON.stringify(cassette()));
  const sessions = Array.from({ length: count }, (_, index) => `request-${String(index + 1)}`);
  for (const id of sessions) writeFileSync(join(repository, `${id}.md`), `# ${id}\n\nSay it.\n`);
  git("add", "-A");
  git("commit", "-qm", "Start");
  return { repository, sessions };
}

function cassette() {
  const plan = MILESTONES.map((name) => `## Milestone: ${name}\n\n- [ ] First\n- [ ] Second\n`);
  const builds = MILESTONES.map((milestone) => ({
    on: { purpose: "build", milestone },
    do: ["first", "second"].flatMap((task, index) => [
      { write: { path: `${milestone}-${task}.txt`, content: `${task}\n` } },
      { commit: `Build ${milestone} ${task}` },
      { tick: index + 1 },
    ]),
  }));
  const passed = [{ print: PASSED }];
  const judges = ["review-commit", "review-milestone", "verify-fix", "test", "final-test"];
  return {
    version: 1,
    turns: [{ on: { purpose: "plan" }, do: [{ plan: plan.join("\n") }] }, ...builds],
    defaults: { replan: [], ...Object.fromEntries(judges.map((judge) => [judge, passed])) },
  };
}
