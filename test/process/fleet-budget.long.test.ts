import { expect, test } from "vitest";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";

const FILES = {
  "cheap.md": "# Cheap\n\nDo the thing.\n",
  "dear.md": "# Dear\n\nDo the other thing.\n",
  "last.md": "# Last\n\nDo the last thing.\n",
};

function fleetOfThree(): ProcessSession {
  return processSession({ scenario: ONE_TASK, files: FILES });
}

function start(session: ProcessSession, name: string, turns: number, ...more: readonly string[]) {
  const words = ["start", `${name}.md`, "--fleet", "night", "--budget", `turns=${String(turns)}`];
  return session.wisp(...words, ...more);
}

function shares(session: ProcessSession, id: string): readonly string[] {
  const lines = session.read("logs/human.log", id).split("\n");
  return lines.filter((line) => /^\S+ budget\.(?:give|grant) /u.test(line));
}

test("what a session that finished cheap did not use is granted to one that stops at its budget, which completes", async () => {
  await using session = fleetOfThree();
  expect(await start(session, "cheap", 40)).toMatchObject({ code: 0 });
  expect(await start(session, "last", 40, "--no-up")).toMatchObject({ code: 0 });
  expect(JSON.parse(session.read("session.json", "cheap"))).toMatchObject({ fleet: "night" });
  await start(session, "dear", 2);
  await session.until("the end of dear", () =>
    session.read("logs/builder.log", "dear").includes("done how=complete"),
  );
  expect(shares(session, "cheap")).toHaveLength(1);
  expect(shares(session, "dear")).toHaveLength(1);
  expect(shares(session, "last")).toEqual([]);
  expect(shares(session, "dear")[0]).toMatch(/ budget\.grant id=cheap\.1 from=cheap amounts=/u);
  for (const id of ["cheap", "dear"]) expect(await homeIssues(session.home(id))).toEqual([]);
});

test("a share is granted once although its granter is killed after each of its records, and the session goes on", async () => {
  await using session = fleetOfThree();
  expect(await start(session, "cheap", 40, "--no-up")).toMatchObject({ code: 0 });
  expect(await start(session, "last", 40, "--no-up")).toMatchObject({ code: 0 });
  expect(await start(session, "dear", 2)).toMatchObject({ code: 4 });
  const seen: string[] = [];
  const abandon = async () => {
    session.env["WISP_FAILPOINT"] = "append.after:1";
    const { code } = await session.wisp("abandon", "cheap", "--yes");
    Reflect.deleteProperty(session.env, "WISP_FAILPOINT");
    const counts = ["cheap", "dear"].map((id) => String(shares(session, id).length));
    seen.push(counts.join(" "));
    return code;
  };
  while ((await abandon()) === null);
  // Killed after the give and before the grant, and after the grant.
  expect(seen).toContain("1 0");
  expect(seen.at(-1)).toBe("1 1");
  await session.until("the end of dear", () =>
    session.read("logs/builder.log", "dear").includes("done how=complete"),
  );
  expect(shares(session, "cheap")).toHaveLength(1);
  expect(shares(session, "dear")).toEqual([
    expect.stringContaining('budget.grant id=cheap.1 from=cheap amounts="{\\"turns\\":40}"'),
  ]);
  const cost = await session.wisp("cost", "dear");
  expect(cost.stdout).toContain("of 42 turns");
  expect(cost.stdout).toContain("2 turns + 40 turns granted by cheap");
});
