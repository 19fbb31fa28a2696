import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import { decodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";
import { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { checkHistory } from "../model/history-checks.ts";
import { historyOf, type History } from "../model/history.ts";

/** The result of a session's files, and the first invariant that it violates. */
export interface CheckedSession {
  readonly history: History;
  readonly broken: string | undefined;
}

/** Reads a session's home and checks it against the invariants of `test/model/history-checks.ts`. */
export function checkSession(directory: string): CheckedSession {
  const home = homeAt(directory);
  const session = SessionJson.parse(JSON.parse(readFileSync(home.sessionJson, "utf8")));
  const builder = recordsIn(home.logs, "builder", BuilderRecord);
  const tester = recordsIn(home.logs, "tester", TesterRecord);
  const published = new Map([...publishedBy(builder), ...publishedBy(tester)]);
  const commits = commitsOf(session).map(({ sha, subject }) => {
    const unit = published.get(sha);
    // A fix is one commit, so its unit says what it does; for other commits the subject does.
    return { sha, work: unit?.startsWith("fix:") === true ? unit : subject, unit };
  });
  const history = historyOf({
    policy: session.policy,
    base: session.base,
    builder,
    planner: recordsIn(home.logs, "planner", PlannerRecord),
    reviewer: recordsIn(home.logs, "reviewer", ReviewerRecord),
    tester,
    human: recordsIn(home.logs, "human", HumanRecord),
    supervisor: recordsIn(home.logs, "supervisor", SupervisorRecord),
    commits,
  });
  const broken = checkHistory(history, session.policy);
  return { history, broken: broken === undefined ? undefined : JSON.stringify(broken) };
}

function recordsIn<S extends z.ZodType>(logs: string, name: string, schema: S): z.output<S>[] {
  let text = "";
  try {
    text = readFileSync(join(logs, `${name}.log`), "utf8");
  } catch {
    return [];
  }
  return text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => {
      const record = decodeRecord(schema, line);
      return record.ok ? [record.value] : [];
    });
}

function publishedBy(
  records: readonly (BuilderRecord | TesterRecord)[],
): ReadonlyMap<string, string> {
  const units = new Map<string, string>();
  for (const record of records) {
    if (record.kind !== "push.intent") continue;
    for (const sha of record.shas) units.set(sha, record.unit);
  }
  return units;
}

function commitsOf({ repository, base, branch }: SessionJson) {
  const range = `${base}..refs/heads/${branch}`;
  const args = ["log", "--reverse", "--topo-order", "--format=%H%x09%s", range];
  const output = execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();
  return output.split("\n").flatMap((line) => {
    const [sha = "", subject = ""] = line.split("\t");
    return sha === "" ? [] : [{ sha, subject }];
  });
}
