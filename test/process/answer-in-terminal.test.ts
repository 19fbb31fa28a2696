import { expect, test } from "vitest";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { tmuxTerminal } from "../rig/tmux-terminal.ts";
import { QUESTION_READ_MS } from "../../src/tui/seen-question.ts";
import { ONE_TASK } from "./scenarios.ts";

/*
 * The answer that has a red base looked at again, by a person at a terminal, where the settings of the checkout differ from
 * the commands of the session, or have a mistake.
 */

const WIDE = { columns: 200, rows: 40 };
const ENV = "commands: { env: [DATABASE_URL] }\n";
const MISTAKE = "verifyTimeuot: 7m\n";

/** A session whose verify is red without naming a test, until a variable is named that it may see. */
function withoutDatabase(): ProcessSession & { readonly settings: (lines: string) => void } {
  const session = processSession({
    scenario: ONE_TASK,
    files: { "check.cjs": "process.exitCode = process.env.DATABASE_URL ? 0 : 1;\n" },
    config: "verify: [[node, check.cjs]]\n",
  });
  Object.assign(session.env, { DATABASE_URL: "postgres://db/x" });
  const committed = session.git("show", "HEAD:.wisp/config.yaml");
  const settings = (lines: string) => {
    session.write(".wisp/config.yaml", `${committed}\n${lines}`);
  };
  return { ...session, settings };
}

test("on a terminal the answer shows what differs and asks; a no looks again without it, a yes takes it", async () => {
  await using session = withoutDatabase();
  expect(await session.wisp("start", "request.md", "--yes")).toMatchObject({ code: 4 });
  session.settings(ENV);
  await using terminal = tmuxTerminal(session, WIDE);
  const asks = async () => {
    terminal.run("clear; wisp answer a-request again; echo code $?");
    await terminal.shows("- commands.env: (none)");
    await terminal.shows("+ commands.env: DATABASE_URL");
    await terminal.shows("Look at the base again with those of the checkout? [y/N]");
  };
  // Who leaves without a word has answered nothing.
  await asks();
  terminal.press("C-d");
  await terminal.shows("code 4");
  expect(session.read("logs/human.log")).not.toContain(" answer ");
  await asks();
  terminal.run("n");
  await terminal.shows("code 0");
  await session.until("the next question", () =>
    session.read("logs/builder.log").includes("question=builder-2"),
  );
  expect(session.read("logs/human.log")).toMatch(/ answer question=builder-1 text=again\n/u);
  await asks();
  terminal.run("y");
  await terminal.shows("From now on the session runs these commands");
  await terminal.shows("code 0");
  expect(session.read("logs/human.log")).toMatch(
    / answer question=builder-2 text=again settings=.*DATABASE_URL/u,
  );
  await session.until("the end", () => session.read("logs/builder.log").includes(" done how="));
  expect(session.read("logs/builder.log")).toContain("done how=complete");
});

test("a mistake in the settings of the checkout is refused with the command that leaves them", async () => {
  await using session = withoutDatabase();
  expect(await session.wisp("start", "request.md", "--yes")).toMatchObject({ code: 4 });
  session.settings(MISTAKE);
  for (const more of [[], ["--settings"], ["--dry-run"]]) {
    const refused = await session.wisp("answer", "a-request", "again", ...more);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("verifyTimeuot");
    expect(refused.stderr).toContain("wisp answer a-request builder-1 again --no-settings");
  }
  expect(session.read("logs/human.log")).not.toContain(" answer ");
  const left = await session.wisp("answer", "a-request", "again", "--no-settings");
  expect(left).toMatchObject({ code: 0 });
});

test("the screen takes no such answer, and says with which commands it is given", async () => {
  await using session = withoutDatabase();
  await using terminal = tmuxTerminal(session, WIDE);
  terminal.run("wisp start request.md --yes; echo code $?");
  await terminal.shows(/The builder asks/u);
  // Before that, nobody can have read the question, and Enter answers nothing.
  const shownMs = performance.now();
  await session.until(
    "the time in which a question is read",
    () => performance.now() - shownMs > QUESTION_READ_MS,
  );
  const answers = async (shown: RegExp) => {
    terminal.press("Enter");
    await terminal.shows("alt-enter new line");
    terminal.type("again");
    await terminal.shows(/> again /u);
    terminal.press("Enter");
    await terminal.shows(shown);
  };
  session.settings(ENV);
  await answers(/Nothing was recorded: wisp answer a-request builder-1 again --settings {2}or/u);
  session.settings(MISTAKE);
  await answers(/Nothing was recorded: wisp answer a-request builder-1 again --no-settings/u);
  expect(session.read("logs/human.log")).not.toContain(" answer ");
  terminal.press("q");
  await terminal.shows("code");
});
