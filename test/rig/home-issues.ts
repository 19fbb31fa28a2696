import { realpathSync } from "node:fs";
import { inspectHome } from "../../src/workspace/home/inspect-home.ts";
import { readSession } from "../../src/workspace/sessions.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { classOf } from "../../src/fs-protocol/home/home-issue.ts";
import { createHost } from "../../src/host/host.ts";
import { ownEnvironment } from "./own-environment.ts";

/** The issues that `wisp fsck` finds in a home, as `<kind> <path>:<line>`, without warnings. */
export async function homeIssues(directory: string): Promise<readonly string[]> {
  const host = createHost();
  const read = readSession(host.files, homeAt(realpathSync(directory)));
  if (!read.ok) return [read.failure.kind];
  const env = ownEnvironment();
  const { issues } = await inspectHome({ host, env }, read.value, { own: false });
  return issues
    .filter((issue) => classOf(issue).severity === "error")
    .map(({ kind, path, line }) => `${kind} ${path}:${String(line ?? "")}`);
}
