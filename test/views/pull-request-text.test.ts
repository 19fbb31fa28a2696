import fc from "fast-check";
import { expect, test } from "vitest";
import type { Oid } from "../../src/base/oid.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { RoleTroubles } from "../../src/session/state/role-troubles.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { BODY_CHARS_MAX } from "../../src/views/review/forge-markdown.ts";
import { withBody } from "../../src/actions/close/open-pull-request.ts";
import { pullRequestText } from "../../src/views/review/pull-request-text.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import { anyText } from "../rig/arbitrary-text.ts";
import { factsOf, json, oid, type Story } from "../cli/session-states.ts";

const HOSTILE = "Close #1, @everyone <img src=x>\u001b[2J | `rm`";

function textOf(
  story: Story,
  { request = "# Parse numbers\n\nAll of them.\n", changes = "" } = {},
): ReturnType<typeof pullRequestText> {
  const facts = factsOf(story);
  const { session, state } = facts;
  return pullRequestText({ session, state, view: statusView(facts), request, changes });
}

function built(name: string, brief: string): Story {
  const plan = json([{ name, tasks: ["a", "b"] }]);
  const ticks = json([{ m: name, tasks: [1, 2] }]);
  const ended = json([{ name, start: oid("0"), end: oid("1") }]);
  const finding = {
    ...{ id: "SIM-3fa2b1", level: "suggestion", reviewer: "simplicity", category: "Simplicity" },
    ...{ brief, file: "src/a|b.js", line: 6, issue: "It is.", suggestion: "Mend it." },
  };
  const m = JSON.stringify(name);
  return {
    builder: [
      `plan.adopt seq=0 plan=${"a".repeat(64)} request=0 milestones=${plan}`,
      `build.end unit=${JSON.stringify(`build:${encodeURIComponent(name)}:1`)} m=${m} outcome=milestone ticks=${ticks} commits=${oid("1")} milestones=${ended}`,
    ],
    reviewer: [
      `review.end unit=commit:${oid("1")} checkpoint=${oid("1")} outcome=reviewed findings=${json([finding])}`,
    ],
    commits: [oid("1")],
  };
}

test("a pull request says what was done, how it was checked, what is open and what it cost", () => {
  const { title, body } = textOf(built("Parser", "Said twice"), {
    changes: "## Parser\n\nNo octal numbers.\n",
  });
  expect(title).toBe("Parse numbers");
  expect(body.match(/^## .*$/gmu)).toEqual([
    "## What was done",
    "## How it was checked",
    "## What is still open",
    "## Where it differs from the request",
    "## What it took",
  ]);
  expect(body).toContain("- `Parser` (2 tasks)\n  - a\n  - b\n");
  expect(body).toContain("- Reviewed 1 of 1 commit; 0 findings fixed.");
  expect(body).toContain("- `npm test` passes");
  expect(body).toContain("- SIM-3fa2b1, suggestion: Said twice (`src/a|b.js:6`)");
  expect(body).toContain("#### Parser\n\nNo octal numbers.");
});

/** A work whose verify was adopted after it began without one. */
function adopted(verify: readonly (readonly string[])[]) {
  const facts = factsOf(built("Parser", "Said twice"));
  const session: SessionJson = { ...facts.session, version: 3, verify: [] };
  const given = {
    verify: verify.map((argv) => [...argv]),
    setup: [],
    build: [],
    before: new Set<Oid>(),
  };
  const state = { ...facts.state, builder: { ...facts.state.builder, adopted: given } };
  return { session, state, view: statusView({ ...facts, session, state }) };
}

test("verify is named as the command that is in force, not as the one that the session began with", () => {
  const work = { ...adopted([["make", "test"]]), request: "# One\n", changes: "" };
  const { body } = pullRequestText(work);
  expect(body).toContain("- `make test` passes");
  const { session, ...revision } = adopted([["make", "check"]]);
  const found = { session, home: homeAt("/repo/.wisp/sessions/api/revision-1") };
  const troubles = new RoleTroubles().value;
  const revised = pullRequestText({ ...work, revisions: [{ found, troubles, ...revision }] });
  expect(revised.body).toContain("- `make check` passes");
  const { degraded } = revision.view;
  expect(degraded.filter((line) => line.includes("no verify command"))).toEqual([]);
});

test("lists a dismissed finding with the reason, not as open", () => {
  const story = built("Parser", "Said twice");
  const why = `why=${JSON.stringify("@all: as meant")}`;
  const { body } = textOf({
    ...story,
    reviewer: [...(story.reviewer ?? []), `adopt.end human=1 dismiss=SIM-3fa2b1 ${why}`],
    human: [`dismiss id=SIM-3fa2b1 ${why}`],
  });
  expect(body).not.toContain("## What is still open");
  expect(body).toContain(
    "## What a person dismissed\n\n- SIM-3fa2b1: Said twice (\\@\u200Ball: as meant)\n",
  );
});

test("lists tests of the base that no longer pass, each with the reason", () => {
  const basetests = [
    {
      what: "asked",
      file: "test/a.test.js",
      names: ["adds `x`", "@b"],
      more: 3,
      why: "Change #1.",
    },
    { what: "dismissed", file: "test/b.test.js", names: ["c"], why: "It is meant so." },
    { what: "unloaded", names: ["test/d.test.js"], why: "npm test exited with 1" },
  ];
  const story = built("Parser", "x");
  const final = `final.end unit=final:1 n=1 at=${oid("1")} verify=passed basetests=${json(basetests)} outcome=tested bugs=[] commits=-`;
  const { body } = textOf({ ...story, tester: [final] });
  expect(body).toContain("## Tests from the base that no longer pass");
  expect(body).toContain(
    "- `test/a.test.js`: `adds 'x'`, `@b`, 3 more: the request asks for it (Change \\#\u200B1.)",
  );
  expect(body).toContain("- `test/b.test.js`: `c`: dismissed by a person (It is meant so.)");
  expect(body).toContain("- `test/d.test.js`: they can no longer be loaded");
});

test("uses the session's name as the title if the request has no heading", () => {
  expect(textOf(built("Parser", "x"), { request: "Parse numbers.\n" }).title).toBe("api");
});

test("a model's words mention nobody, close no issue and add no markup", () => {
  const { body } = textOf(built(HOSTILE, HOSTILE));
  expect(body).toContain(
    "suggestion: Close \\#\u200B1, \\@\u200Beveryone \\<img src=x\\> \\| \\`rm\\`",
  );
  expect(body).toContain("- `Close #1, @everyone <img src=x> | 'rm'` (2 tasks)");
  expect(body).not.toContain("\u001b");
});

test("any request gives a title of one clean line", () => {
  fc.assert(
    fc.property(anyText, (request) => {
      expect(textOf(built("Parser", "x"), { request }).title).toMatch(/^[^\p{Cc}]{1,100}$/u);
    }),
  );
});

test("lists fixed findings with their commits, and those that need no change with the reason", () => {
  const story = built("Parser", "Said twice");
  const id = "SIM-3fa2b1";
  const fix = (outcome: string, sha: string) =>
    `fix.end unit=fix:${id}:1 reason="It is said once now, @all" id=${id} attempt=1 outcome=${outcome} sha=${sha} by=simplicity brief="Said twice" files=[]`;
  const closed = (sha: string) =>
    `verify.end unit=verify:${id}:${sha}:1 id=${id} attempt=1 sha=${sha} verdict=closed`;
  const bodyOf = (outcome: string, sha: string) =>
    textOf({
      ...story,
      builder: [...(story.builder ?? []), fix(outcome, sha)],
      reviewer: [...(story.reviewer ?? []), closed(sha)],
    }).body;
  expect(bodyOf("fixed", oid("2"))).toContain(
    "## What was found and fixed\n\n- SIM-3fa2b1: Said twice (2222222222)\n",
  );
  const unchanged = bodyOf("nochange", oid("1"));
  expect(unchanged).toContain("0 findings fixed");
  expect(unchanged).toContain(
    "## What was found and needs no change\n\n- SIM-3fa2b1: Said twice (It is said once now, \\@\u200Ball)\n",
  );
});

test("includes CHANGES.md without wisp's unit keys and with its markup escaped", () => {
  const changes =
    "- 2026-11-20 12:04 UTC, builder: One argument only [build:Options%20🚀:1]\n- see <b> https://evil.example www.evil.example GH-1\n```\n";
  const { body } = textOf(built("Parser", "x"), { changes });
  expect(body).toContain("- 2026-11-20 12:04 UTC, builder: One argument only\n");
  expect(body).toContain(
    "- see \\<b\\> https:\u200B//evil.example www\u200B.evil.example GH\u200B-1\n\\`\\`\\`",
  );
});

test("cuts a body at the forge's limit, and says so", () => {
  const name = (n: number) => `${String(n)} ${"x".repeat(900)}`;
  const plan = json([{ name: "One", tasks: Array.from({ length: 200 }, (_, n) => name(n)) }]);
  const story: Story = {
    builder: [
      `plan.adopt seq=0 plan=${"a".repeat(64)} request=0 milestones=${plan}`,
      `build.end unit=build:One:1 m=One outcome=milestone ticks=[] commits=${oid("1")} milestones=${json([{ name: "One", start: oid("0"), end: oid("1") }])}`,
    ],
    commits: [oid("1")],
  };
  const { body } = textOf(story);
  expect(body.length).toBeLessThanOrEqual(BODY_CHARS_MAX);
  expect(body).toMatch(/\n\nThe rest does not fit here: `wisp status api`\.\n$/u);
});

test("replaces wisp's part of an open pull request, and keeps what people wrote around it", () => {
  const first = withBody("", "One");
  expect(withBody(first, "One")).toBe(first);
  expect(withBody(first, "Two")).toBe(first.replace("One", "Two"));
  const around = `Mine.\r\n\r\n${first}\r\nMine, too.`;
  const edited = withBody(around, "Two");
  expect(edited).toContain("Mine.\n\n<!-- wisp: begin -->\nTwo\n<!-- wisp: end -->");
  expect(edited).toContain("Mine, too.");
  expect(withBody(edited, "Two")).toBe(edited);
  expect(withBody("By hand.", "Two")).toBe(`By hand.\n\n${withBody("", "Two")}`);
});
