import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { processSession } from "../rig/process-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/** One milestone, and a tester's bug that no attempt fixes. */
const UNFIXABLE = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
  test: (t) => t.needsWork("Bug", "hello.txt", "It is not loud", "grep -q HELLO hello.txt"),
  fix: (t) => t.put("tried-" + t.attempt + ".txt", "in vain\n"),`;

test("a bug that no attempt fixes leaves the session stuck; it completes without another turn once a person dismisses the bug", async () => {
  await using session = processSession({ scenario: UNFIXABLE, config: "attempts: { fix: 2 }\n" });
  const stuck = await session.wisp("start", "request.md");
  expect(stuck.code).toBe(5);
  const before = checkSession(session.home()).history;
  const [id = ""] = before.tester.fold.open.keys();
  expect(stuck.stdout).toContain("is stuck");
  expect(stuck.stdout).toContain(id);
  expect(lastEndOf(before.builder.fold)).toMatchObject({ how: "stuck", open: [id] });
  // Only starting it again leaves it stuck.
  expect(await session.wisp("up")).toMatchObject({ code: 5 });
  const turns = turnsAbout(id);

  const why = "It is quiet on purpose.";
  expect(await session.wisp("findings", "dismiss", id, "--why", why)).toMatchObject({ code: 0 });
  const ended = await session.wisp("up");
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout).toContain("is complete");
  expect(ended.stdout).toContain(`bugs        0 fixed, 1 dismissed by a person: ${id}\n`);
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  expect(turnsAbout(id)).toEqual(turns);
  expect(session.read("BUGS.md")).toContain(`DISMISSED ${id}`);
  expect(session.read("BUGS.md")).toContain(why);

  function turnsAbout(bug: string): readonly string[] {
    return ["builder", "tester", "reviewer"].flatMap((role) =>
      session
        .read(`logs/${role}.log`)
        .split("\n")
        .filter((line) => line.includes(" turn.begin ") && line.includes(bug)),
    );
  }
});
