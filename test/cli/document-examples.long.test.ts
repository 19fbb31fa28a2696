import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { blocksOf, documentOf } from "../rig/document.ts";
import { shellLinesOf } from "../rig/documented-commands.ts";
import { eventually } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { follow, runExample, runShell, typedFor, type Example } from "../rig/run-example.ts";
import { installStandIn, speaking } from "../rig/stand-in-cli.ts";
import { describeSecondPlace } from "../process/second-place.ts";
import * as elsewhere from "./documented-elsewhere.ts";
import * as examples from "./documented-examples.ts";

/*
 * The commands of README, docs and logs/README are run as written, in a session of the state that the text
 * assumes. (Settings, reviewers and the syntax of commands: documents.test.ts.)
 */

/** A usage error, or a bug of the program. */
const BROKEN = /^error: |unknown (?:option|command)|too many arguments|^ {4}at .*\.js:\d+/mu;

/** The session asks a question, then waits in its first milestone for `logs/go`. */
const SCENARIO = String.raw`
  plan(t) {
    t.plan("## Milestone: Parsing\n\n- [ ] Read rows\n");
    t.print("A plan of one milestone.");
  },
  async build(t) {
    const isFirst = t.milestone === "Parsing";
    if (isFirst && !t.prompt.includes("A comma")) return t.say({ status: "NEEDS_INPUT", question: "Which separator?" });
    if (isFirst) {
      await t.until(() => t.has(t.home + "/logs/go"));
      t.put("src/csv.js", Array.from({ length: 20 }, (_, line) => "// line " + line + "\n").join(""));
    } else {
      t.put(t.unit.replace(/\W+/g, "-") + ".txt", t.milestone + "\n");
    }
    t.commit(t.milestone);
    t.tick();
  },
  "review-milestone"(t) {
    if (t.milestone === "Parsing") t.finds([["Style", "src/csv.js", "The name says little", "suggestion"]]);
    else t.passed();
  },
  revise(t) {
    t.print("<revision-plan>\n### RI-001: Add the header\n\n**Description:** The header is missing.\n\n**Acceptance Criteria:**\n\n- [ ] There is a header\n</revision-plan>");
    t.say({ status: "DONE", summary: "one item" });
  },
`;

const FILES = {
  "request.md": "# Invoices\n\nRead invoices from CSV.\n",
  "feedback.md": "- The header is missing\n",
};

/** They come before any real engine on PATH; the stand-in for claude takes the turns. */
function installStandIns({ root, env }: ProcessSession): void {
  const bin = join(root, "bin");
  for (const name of ["claude", "codex", "gemini", "copilot", "opencode"]) {
    installStandIn(bin, name, name === "claude" ? speaking("reads") : "process.exit(1);");
  }
  env["PATH"] = `${bin}:${env["PATH"] ?? ""}`;
}

async function show(session: ProcessSession, stage: readonly Example[]): Promise<void> {
  for (const example of stage) {
    for (const line of typedFor(example, "invoices")) {
      const typed = withIds(session, line);
      const ran = await (example.isFollowing ? follow : runExample)(session, typed);
      const output = `${ran.stdout}\n${ran.stderr}`;
      expect({ typed, output, code: ran.code }).toEqual({ typed, output, code: example.code ?? 0 });
      expect(output).toMatch(example.says);
      expect(output).not.toMatch(BROKEN);
    }
  }
}

/** Replaces `BUG-…` with the id of an open item. */
function withIds(session: ProcessSession, line: string): string {
  const items = session.read("REVIEWS.md") + session.read("BUGS.md");
  return line.replace(/([A-Z]{3})-…/u, (_, key: string) => {
    return new RegExp(`^OPEN (${key}-[0-9a-f]+) `, "mu").exec(items)?.[1] ?? "";
  });
}

/** Commands of logs/README that print nothing in a session without problems. */
const OF_TROUBLE = [/stuck\|/u, /attempt\\\.failed/u, /reviewer\.milestone/u, /COR-7f3a91/u];
const OF_TROUBLE_FILE = /quarantine\.log/u;

async function readTheHome(session: ProcessSession): Promise<void> {
  const lines = ["logs/README.md", "docs/PROTOCOL.md"].flatMap(shellLinesOf);
  expect(lines.length).toBeGreaterThan(12);
  for (const line of lines) {
    const own = `cd .wisp/current && ${line}`;
    const ran = line.startsWith("tail -f")
      ? await follow(session, line.replace("logs/", ".wisp/current/logs/"))
      : runShell(session, own, session.repository);
    if (OF_TROUBLE_FILE.test(line)) continue;
    expect({ line, stderr: ran.stderr }).toEqual({ line, stderr: "" });
    const isSilent = OF_TROUBLE.some((pattern) => pattern.test(line));
    expect({ line, printed: ran.stdout === "" }).toEqual({ line, printed: isSilent });
  }
}

test("the session that README walks through works as written, from the settings to the end, and so does its replay", async () => {
  await using session = processSession({ scenario: SCENARIO, files: FILES });
  installStandIns(session);
  await show(session, examples.FRESH);
  session.git("add", "--all");
  session.git("commit", "-qm", "Add settings");
  const base = session.git("rev-parse", "HEAD");
  await show(session, examples.ASKING);

  const up = session.wisp("up");
  await session.until("the second turn", () => {
    return (session.read("logs/builder.log").match(/ turn\.begin /gu)?.length ?? 0) > 1;
  });
  await show(session, examples.RUNNING);
  const plan = session.read("TASKS.md");
  writeFileSync(
    join(session.home(), "TASKS.md"),
    `${plan}\n## Milestone: By hand\n\n- [ ] Add a note\n`,
  );
  session.write(".wisp/current/logs/go", "go\n");
  expect(await up).toMatchObject({ code: 0 });
  await show(session, examples.STOPPED);
  await show(session, examples.COMPLETE);
  await show(session, [
    { text: examples.FOLLOWED_FILE, isFollowing: true, code: 130, says: /^Parsing\|/mu },
  ]);
  await readTheHome(session);
  await show(session, examples.REVISED);

  expect(examples.PLAYED).toHaveLength(3);
  expect(readFileSync(join(session.root, "recording/recording.json"), "utf8")).toContain(base);
  session.write(".wisp/config.yaml", "engine: replay\nsandbox: none\nmcp: { playwright: false }\n");
  const typed = examples.PLAYED.map((line) =>
    line.replace(/<.*>/u, base).replace("DIR", "../recording"),
  );
  for (const line of typed) {
    const { code, stderr } = await runExample(session, line);
    expect({ line, stderr, code }).toEqual({ line, stderr, code: 0 });
  }
  expect(session.git("show", "wisp/invoices-2:src/csv.js")).toContain("// line 1");
});

/** Reports a bug and a suggestion; fixes succeed. */
const FINDS = String.raw`
  plan: (t) => t.plan("## Milestone: Parsing\n\n- [ ] Read rows\n"),
  build(t) {
    if (t.milestone === "Parsing") t.put("src/csv.js", "// line\n".repeat(20));
    else t.put("header.txt", "header\n");
    t.commit(t.milestone);
    t.tick();
  },
  "review-milestone"(t) {
    if (t.milestone === "Parsing") t.finds([["Style", "src/csv.js", "The name says little"]]);
    else t.passed();
  },
  test(t) {
    if (t.milestone === "Parsing") t.needsWork("Bug", "src/csv.js", "It reads no tabs", "grep -q tabs src/csv.js");
    else t.passed();
  },
  fix: (t) => t.put("src/csv.js", t.read("src/csv.js") + "// " + t.finding + "\n"),
  revise(t) {
    t.print("<revision-plan>\n### RI-001: Add the header\n\n**Description:** The header is missing.\n\n**Acceptance Criteria:**\n\n- [ ] There is a header\n</revision-plan>");
    t.say({ status: "DONE", summary: "one item" });
  },
`;

test("the commands of docs/REVIEWERS.md for findings that are left to a person work as written", async () => {
  await using session = processSession({ scenario: FINDS, files: FILES });
  await show(session, examples.LEFT_OPEN);
  const { stdout } = await session.wisp("status", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ state: "DONE", stage: "complete" });
});

test("the command engine of docs/ENGINES.md completes a session, with one reviewer and with several", async () => {
  const [script = ""] = blocksOf(documentOf("docs/ENGINES.md"), "sh").filter((content) =>
    content.startsWith("#!"),
  );
  expect(script).toContain("$WISP_PURPOSE");
  const several = { security: "---\nlevel: blocking\n---\n\nFind what is dangerous.\n" };
  for (const reviewers of [{}, several]) {
    await using session = processSession({
      engine: `{ command: ["./agent.sh"] }`,
      files: { ...FILES, "agent.sh": script },
      reviewers,
    });
    session.git("update-index", "--chmod=+x", "agent.sh");
    session.git("commit", "-qm", "Make the agent executable");
    expect(runShell(session, "chmod +x agent.sh", session.repository)).toMatchObject({ code: 0 });
    const ran = await session.wisp("start", "request.md");
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain("invoices is complete");
    expect(session.git("show", "wisp/invoices:hello.txt")).toBe("hello");
    const { stdout } = await session.wisp("status", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      milestones: [{ isReviewed: true, isTested: true }],
    });
  }
});

/** Waits in its milestone for a file beside the repository. */
const WAITS = String.raw`
  plan: (t) => t.plan("## Milestone: Parsing\n\n- [ ] Read rows\n"),
  async build(t) {
    await t.until(() => t.has("GO"));
    t.put(t.home.split("/").at(-1) + ".txt", "rows\n");
    t.commit("Read rows");
    t.tick();
  },
`;

test("the commands of the documents for a session elsewhere work as written, at a place on this machine", async () => {
  const gate = mkdtempSync(join(tmpdir(), "wisp-gate-"));
  onTestFinished(() => rmSync(gate, { recursive: true }));
  const go = join(gate, "go");
  await using session = processSession({ scenario: WAITS.replace("GO", go), files: FILES });
  session.env["EDITOR"] = "true";
  describeSecondPlace(session);
  await show(session, elsewhere.SENT);
  expect(await session.wisp("stop", "invoices")).toMatchObject({ code: 0 });
  writeFileSync(go, "");
  const log = () => session.read("logs/supervisor.log", "invoices");
  await eventually(() => expect(log()).toContain(" supervisor.end "), { signs: log });
  await show(session, elsewhere.STOPPED_THERE);
  const resumed = await session.wisp("resume", "invoices");
  expect({ code: resumed.code, said: resumed.stdout }).toMatchObject({ code: 0 });
  expect(session.git("show", "wisp/invoices:invoices.txt")).toBe("rows");
  for (const id of ["invoices", "again"]) {
    expect(await session.wisp("abandon", id, "--yes")).toMatchObject({ code: 0 });
  }
});

test("the commands of the documents for several sessions work as written", async () => {
  const names = ["one", "two", "three", "four", "five", "six"];
  const files = names.map((name): [string, string] => [
    `requests/${name}.md`,
    `# ${name}\n\nRead ${name}.\n`,
  ]);
  await using session = processSession({
    scenario: WAITS.replace('t.has("GO")', "true"),
    files: Object.fromEntries(files),
  });
  await show(session, elsewhere.MANY);
  for (const name of names) {
    const log = () => session.read("logs/builder.done", name);
    await eventually(() => expect(log()).toContain("complete|"), { signs: log });
  }
  for (const name of ["five", "six"]) {
    expect(await session.wisp("abandon", name, "--yes")).toMatchObject({ code: 0 });
  }
});
