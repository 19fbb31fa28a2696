import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processSession } from "../rig/process-session.ts";
import { putProgram, tmuxTerminal } from "../rig/tmux-terminal.ts";
import { ONE_TASK } from "./scenarios.ts";

/** Talks to a person, and writes a plan to the path in its prompt, with one more item each time that it is opened. */
const CLAUDE = (root: string) => String.raw`#!/bin/sh
for last; do :; done
printf '%s\n' "$last" > '${root}/prompt'
echo "$#: $1 $2 $3" >> '${root}/opened'
times=$(wc -l < '${root}/opened' | tr -d ' ')
file=$(printf '%s\n' "$last" | sed -n 's/.*to the file .\(\/[^ ]*plan.md\)., and tell.*/\1/p')
echo "claude is here, $times"
read -r line
{
  echo '<revision-plan>'
  for n in $(seq "$times"); do
    printf '### RI-00%s: Mend %s\n\n**Description:** Mend it.\n\n**Acceptance Criteria:**\n\n- [ ] It is mended\n\n' "$n" "$line"
  done
  echo '</revision-plan>'
} > "$file"
`;

test("US-002, US-003, US-004: on a terminal revise asks for problems; a plan is discussed with the engine, changed, edited and approved", async () => {
  const config = "roles: { planner: { engine: claude } }\nreplan: never\n";
  const files = { "request.md": "## Milestone: One\n\n- [ ] Say hello\n" };
  await using session = processSession({ scenario: ONE_TASK, config, files });
  const { root } = session;
  putProgram(session, "claude", CLAUDE(root));
  putProgram(session, "edit-it", '#!/bin/sh\nsed -i "s/Mend softer/Mend by hand/" "$2"\n');
  session.env["EDITOR"] = "edit-it --wait";
  expect(await session.wisp("start", "request.md", "--branch", "wisp/app")).toMatchObject({
    code: 0,
  });
  await using terminal = tmuxTerminal(session, { columns: 110, rows: 40 });

  terminal.run("wisp revise --no-start");
  await terminal.shows("Describe a problem (or press Enter to finish):");
  terminal.press("C-c");
  await terminal.shows("Nothing was created.");

  terminal.run("clear; wisp revise --no-start");
  await terminal.shows(/^Describe a problem \(or press Enter to finish\):/mu);
  terminal.press("Enter");
  await terminal.shows("At least one problem is required");
  terminal.run("It is too loud");
  terminal.run("It is rude");
  terminal.press("Enter");
  await terminal.shows(/1\. It is too loud\n +2\. It is rude/u);
  terminal.run("yes");
  await terminal.shows("claude is here, 1");
  terminal.run("loud");
  await terminal.shows("Approve this plan? (yes / or give feedback):");
  await terminal.shows("RI-001: Mend loud");

  terminal.run("one more, please");
  await terminal.shows("claude is here, 2");
  const prompt = readFileSync(join(root, "prompt"), "utf8");
  expect(prompt).toContain("1. It is too loud\n2. It is rude");
  expect(prompt).toContain("1. one more, please");
  expect(prompt).toContain("previous-plan.md");
  terminal.run("softer");
  await terminal.shows("RI-002: Mend softer");
  terminal.run("e");
  await terminal.shows("RI-002: Mend by hand");
  terminal.run("YES");
  await terminal.shows("To run it: wisp up app/revision-1");

  // No flag that skips permissions or formats the output: only the conversation, which feedback resumes, and the
  // prompt.
  const opened = readFileSync(join(root, "opened"), "utf8").trimEnd().split("\n");
  const [, begun = "none"] = /^4: --session-id ([0-9a-f-]{36}) --$/u.exec(opened[0] ?? "") ?? [];
  expect(opened).toEqual([`4: --session-id ${begun} --`, `4: --resume ${begun} --`]);
  const request = session.read("request.md", "app/revision-1");
  expect(request).toContain("### RI-002: Mend by hand");
  expect(existsSync(join(session.home("app"), "revision-2"))).toBe(false);
});
