import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually, signsIn } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { farHome, farRoot, mirroredFiles } from "./far-files.ts";

const ID = "hello";
const REVISION = `${ID}/revision-1`;
const BRANCH = `wisp/${ID}`;

const item = (id: string, title: string) =>
  `### ${id}: ${title}\n\n**Description:** Make it say more.\n\n**Acceptance Criteria:**\n\n- [ ] ${title}\n\n`;
const ITEMS = `${item("RI-001", "Say it louder")}${item("RI-002", "Say it again")}`;

/** The items of the revision wait in their turns until they may go on; the session itself waits for nothing. */
const GATED_ITEMS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    const { appendFileSync, existsSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    const [name] = t.milestone.split(":");
    const isItem = name.startsWith("RI-");
    if (isItem) {
      t.put("draft-" + name + ".txt", "not committed\n");
      appendFileSync("GATES/begun-" + name, "begun\n");
      while (!existsSync("GATES/go-" + name)) await setTimeout(20);
    }
    t.put("hello.txt", (isItem ? t.read("hello.txt") : "") + name + "\n");
    t.commit("Build " + name);
    t.tick();
  },
  revise(t) {
    t.print("<revision-plan>\n" + ITEMS + "</revision-plan>");
    t.say({ status: "DONE", summary: "two items" });
  },
`;

/** A session whose revision has built its first item, and is in the turn of its second. */
interface Revised {
  readonly rig: ProcessSession;
  readonly home: string;
  /** Waits until the turn of an item has begun so many times. */
  readonly begun: (name: string, times: number) => Promise<void>;
  readonly open: (name: string) => void;
}

async function reviseOn(rig: ProcessSession, gates: string, on: string): Promise<Revised> {
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  const where = on === "here" ? [] : ["--on", on];
  const started = await rig.wisp("start", "hello.md", ...where, "--yes", "--plain");
  expect({ code: started.code, said: started.stderr }).toMatchObject({ code: 0 });
  const words = ["revise", ID, "--problem", "It is too quiet", "--yes", "--detach"];
  const revised = await rig.wisp(...words);
  expect({ code: revised.code, said: revised.stderr }).toMatchObject({ code: 0 });
  const home = rig.home(ID);
  const begun = (name: string, times: number) =>
    eventually(
      () => {
        const notes = join(gates, `begun-${name}`);
        expect(existsSync(notes) ? readFileSync(notes, "utf8") : "").toBe("begun\n".repeat(times));
      },
      { signs: () => signsIn(join(home, "revision-1/logs")) },
    );
  const open = (name: string) => writeFileSync(join(gates, `go-${name}`), "");
  open("RI-001");
  await begun("RI-002", 1);
  return { rig, home, begun, open };
}

function gatesOfTest(): { readonly gates: string; readonly scenario: string } {
  const gates = mkdtempSync(join(tmpdir(), "wisp-gates-"));
  onTestFinished(() => rmSync(gates, { recursive: true }));
  const scenario = GATED_ITEMS.replaceAll("GATES", gates).replace("ITEMS", JSON.stringify(ITEMS));
  return { gates, scenario };
}

/** The revision is complete here, its items were built once each, and what its turn had not committed is kept. */
async function expectRevised({ rig, home }: Revised): Promise<void> {
  const done = () => rig.read("logs/builder.done", REVISION);
  await eventually(() => expect(done()).toContain("complete|"), { signs: () => signsIn(home) });
  await eventually(() =>
    expect(rig.git("show", `${BRANCH}:hello.txt`)).toBe("One\nRI-001\nRI-002"),
  );
  expect(rig.git("log", "--reverse", "--format=%s", `main..${BRANCH}`).split("\n")).toEqual([
    ...["Build One", "[Revision] Build RI-001", "[Revision] Build RI-002"],
  ]);
  const rescued = rig.git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue/");
  const drafts = rescued.split("\n").map((ref) => rig.git("ls-tree", "--name-only", ref));
  expect(drafts.join("\n")).toContain("draft-RI-002.txt");
  expect(rig.read("logs/human.log", ID).match(/ moved /gu)).toHaveLength(1);
  expect(rig.read("logs/human.log", REVISION)).not.toContain(" moved ");
  const sound = await rig.wisp("fsck", REVISION);
  expect({ code: sound.code, said: sound.stdout + sound.stderr }).toMatchObject({ code: 0 });
}

test("a revision moves elsewhere in the middle of its second item, completes there, and is shipped from here", async () => {
  const { gates, scenario } = gatesOfTest();
  await using rig = processSession({ scenario, config: "replan: never\n" });
  const revised = await reviseOn(rig, gates, "here");
  const { home, begun, open } = revised;
  const moved = await rig.wisp("move", REVISION, "local");
  expect({ code: moved.code, said: moved.stderr }).toMatchObject({ code: 0 });
  await begun("RI-002", 2);
  expect((await rig.wisp("status", REVISION)).stdout).toContain("local");
  open("RI-002");
  await expectRevised(revised);
  const root = farRoot(home);
  await eventually(() => expect(mirroredFiles(home)).toEqual(mirroredFiles(farHome(home, ID))));
  const done = await rig.wisp("done", ID, "--no-push", "--yes");
  expect({ code: done.code, said: done.stderr }).toMatchObject({ code: 0 });
  expect(existsSync(root)).toBe(false);
  await begun("RI-001", 1);
});

test("a revision of a session that began elsewhere moves here in the middle of its second item, and completes here", async () => {
  const { gates, scenario } = gatesOfTest();
  await using rig = processSession({ scenario, config: "replan: never\n" });
  const revised = await reviseOn(rig, gates, "local");
  const { home, begun, open } = revised;
  const root = farRoot(home);
  const moved = await rig.wisp("move", ID, "here");
  expect({ code: moved.code, said: moved.stderr }).toMatchObject({ code: 0 });
  expect(existsSync(root)).toBe(false);
  await begun("RI-002", 2);
  expect((await rig.wisp("status", REVISION)).stdout).not.toMatch(/in touch|elsewhere/u);
  open("RI-002");
  await expectRevised(revised);
  const done = await rig.wisp("done", ID, "--no-push", "--yes");
  expect({ code: done.code, said: done.stderr }).toMatchObject({ code: 0 });
  await begun("RI-001", 1);
});
