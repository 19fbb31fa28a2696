import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import type { Result } from "../../src/base/result.ts";
import { decodeAnsweredMilestone } from "../../src/fs-protocol/projections/answered-milestone.ts";
import { decodeRevision } from "../../src/fs-protocol/projections/revisions-log.ts";
import { decodeDone } from "../../src/fs-protocol/projections/builder-done.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { HOME_FILE_NAMES, homeFile } from "../../src/fs-protocol/home/catalogue.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { decodeItem } from "../../src/fs-protocol/projections/items-md.ts";
import { decodeMilestone } from "../../src/fs-protocol/projections/milestones-log.ts";
import { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import { decodeRecord, encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { decodeReviewedCommit } from "../../src/fs-protocol/projections/reviewer-checkpoint.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";
import { decodeFinalPass } from "../../src/fs-protocol/projections/tester-final.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { allBlocks, blocksOf, documentOf, linesOf } from "../rig/document.ts";
import { STANDSTILL_MS_MAX } from "../rig/patience.ts";

const README = documentOf("logs/README.md");
const BLOCKS = allBlocks(README);
const LISTS = ["REVIEWS.md", "BUGS.md"];

/** A session's home with the examples of the page. */
const home = mkdtempSync(join(tmpdir(), "wisp-"));

beforeAll(() => {
  mkdirSync(join(home, "logs"));
  for (const { info, content } of BLOCKS) {
    if (!info.startsWith("wisp:")) continue;
    const file = info.slice("wisp:".length);
    writeFileSync(join(home, LISTS.includes(file) ? "" : "logs", file), content);
  }
});

afterAll(() => {
  rmSync(home, { recursive: true });
});

function recordOf(schema: z.ZodType) {
  return (line: string): Result<unknown, unknown> => {
    const record = decodeRecord(schema, line);
    if (record.ok) expect(encodeRecord(schema, record.value)).toBe(`${line}\n`);
    return record;
  };
}

const DECODERS: Readonly<Record<string, (line: string) => Result<unknown, unknown>>> = {
  "planner.log": recordOf(PlannerRecord),
  "builder.log": recordOf(BuilderRecord),
  "reviewer.log": recordOf(ReviewerRecord),
  "tester.log": recordOf(TesterRecord),
  "human.log": recordOf(HumanRecord),
  "supervisor.log": recordOf(SupervisorRecord),
  "milestones.log": decodeMilestone,
  "reviewer.checkpoint": decodeReviewedCommit,
  "reviewer.milestone": decodeAnsweredMilestone,
  "tester.milestone": decodeAnsweredMilestone,
  "tester.final": decodeFinalPass,
  "builder.done": decodeDone,
  "revisions.log": decodeRevision,
  "REVIEWS.md": decodeItem,
  "BUGS.md": decodeItem,
};

test.each(Object.entries(DECODERS))("every example of %s is a valid line", (file, decode) => {
  const lines = linesOf(README, `wisp:${file}`);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !decode(line).ok)).toEqual([]);
});

test("the page shows every log of a session", () => {
  const { logs, turns, ...files } = homeAt("/session");
  const names = Object.values(files)
    .filter((path) => path.startsWith(`${logs}/`))
    .map((path) => path.slice(logs.length + 1));
  const shown = BLOCKS.map(({ info }) => info.replace("wisp:", ""));
  expect(turns).toBe("/session/logs/turns");
  expect(names.filter((name) => !shown.includes(name))).toEqual([]);
});

test("the examples of every log that programs read are decoded here", () => {
  const read = HOME_FILE_NAMES.map(homeFile)
    .filter(({ path, kind }) => path.startsWith("logs/") && kind !== "notes")
    .map(({ path }) => path.slice("logs/".length));
  expect(read.filter((name) => DECODERS[name] === undefined)).toEqual([]);
});

/** Shell lines with the output that the page promises. */
const PROMISES = BLOCKS.flatMap(({ info, content }, index) => {
  const next = BLOCKS[index + 1];
  return info === "sh"
    ? [{ command: content.trimEnd(), output: next?.info === "text" ? next.content : "" }]
    : [];
});

test.each(PROMISES)("$command", ({ command, output }) => {
  expect(output).not.toBe("");
  const env = { ...process.env, LC_ALL: "C" };
  expect(execFileSync("sh", ["-c", command], { cwd: home, env, encoding: "utf8" })).toBe(output);
});

/** The files of a new home, and nothing else. */
function freshHome(items: Readonly<Record<string, string>> = {}): string {
  const fresh = mkdtempSync(join(tmpdir(), "wisp-"));
  mkdirSync(join(fresh, "logs"));
  const made = { "REVIEWS.md": "", "BUGS.md": "", "logs/milestones.log": "", "logs/human.log": "" };
  for (const [file, content] of Object.entries({ ...made, ...items })) {
    writeFileSync(join(fresh, file), content);
  }
  return fresh;
}

function printed(command: string, cwd: string): string {
  const env = { ...process.env, LC_ALL: "C" };
  const options = { cwd, env, encoding: "utf8", timeout: STANDSTILL_MS_MAX } as const;
  const ran = spawnSync("sh", ["-c", command], options);
  return ran.stdout;
}

/** `awk` differs between systems: Debian's is also called by its name if it is installed. */
const AWKS = ["awk", "mawk", "gawk"].filter(
  (awk) => spawnSync("sh", ["-c", `command -v ${awk}`]).status === 0,
);

test("the commands print nothing for a session in which nothing has happened", () => {
  const fresh = freshHome();
  try {
    const outputs = PROMISES.map(({ command }) => printed(command, fresh).trim());
    expect(outputs.filter((output) => output !== "" && output !== "0")).toEqual([]);
  } finally {
    rmSync(fresh, { recursive: true });
  }
});

const OPEN_LINES = [
  ...PROMISES.filter(({ command }) => command.includes("BUGS.md")),
  ...blocksOf(documentOf("docs/PROTOCOL.md"), "sh")
    .filter((content) => content.includes("BUGS.md"))
    .map((content) => ({ command: content.trimEnd() })),
];

test.each(AWKS)("with %s, open items are printed even if one list is empty or missing", (awk) => {
  expect(OPEN_LINES).toHaveLength(2);
  const [line = ""] = linesOf(README, "wisp:REVIEWS.md");
  const fresh = freshHome({ "REVIEWS.md": `${line}\n` });
  try {
    for (const { command } of OPEN_LINES) {
      const own = command.replace(/\bawk\b/u, awk);
      expect(printed(own, fresh)).toBe("COR-7f3a91\n");
      rmSync(join(fresh, "BUGS.md"), { force: true });
      expect(printed(own, fresh)).toBe("COR-7f3a91\n");
    }
  } finally {
    rmSync(fresh, { recursive: true });
  }
});

const FOLLOWED = BLOCKS.flatMap(({ info, content }) =>
  info === "sh follow" ? [content.trimEnd()] : [],
);

test.each(FOLLOWED)("%s shows a line as soon as it is appended", async (command) => {
  const file = join(home, command.split(" ").at(-1) ?? "");
  const child = spawn("sh", ["-c", `exec ${command}`], {
    cwd: home,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let shown = "";
    child.stdout.setEncoding("utf8");
    const until = async (text: string) => {
      while (!shown.includes(text)) {
        shown += await new Promise<string>((resolve) => child.stdout.once("data", resolve));
      }
    };
    await until("\n");
    writeFileSync(file, "a line that comes later\n", { flag: "a" });
    await until("a line that comes later\n");
    expect(shown).toContain("a line that comes later\n");
  } finally {
    child.kill("SIGKILL");
  }
});
