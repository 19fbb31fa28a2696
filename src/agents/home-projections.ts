import type { z } from "zod";
import { logFolds } from "../session/state/session-logs.ts";
import type { Files } from "../base/ports/files.ts";
import type { Locks } from "../base/ports/locks.ts";
import type { Home } from "../fs-protocol/home/home.ts";
import type { HomeLogs, LogContent } from "../fs-protocol/home/logs.ts";
import type { SessionJson } from "../fs-protocol/home/session-json.ts";
import { builderProjections } from "./builder/projections.ts";
import { Projector, type JournalFold, type Projection } from "../home/projector.ts";
import { reviewerProjections } from "./reviewer/projections.ts";
import { testerProjections } from "./tester/projections.ts";

type Settings = Pick<SessionJson, "policy" | "parent" | "progress">;

function foldsOf(home: Home, session: Settings) {
  const { builder, reviewer, tester } = logFolds(session);
  return {
    builder: { ...builder, project: builderProjections(home, session) },
    reviewer: { ...reviewer, project: reviewerProjections(home, session) },
    tester: { ...tester, project: testerProjections(home, session) },
  };
}

/** All texts that other files must contain according to the journals of a home, in the journals' order. */
export function expectedProjections(
  home: Home,
  session: Settings,
  logs: Pick<HomeLogs, "builder" | "reviewer" | "tester">,
): readonly Projection[] {
  const { builder, reviewer, tester } = foldsOf(home, session);
  return [
    ...expectedOf(builder, logs.builder),
    ...expectedOf(reviewer, logs.reviewer),
    ...expectedOf(tester, logs.tester),
  ];
}

function expectedOf<S extends z.ZodType, F>(
  { empty, reduce, project }: JournalFold<S, F>,
  { entries }: LogContent<z.output<S>>,
): readonly Projection[] {
  let before = empty;
  return entries.flatMap(({ record }) => {
    const after = reduce(before, record);
    const projections = project(record, before, after);
    before = after;
    return projections;
  });
}

/** Appends to each file the lines that follow from the journals and are missing, as each role does when it starts. */
export async function reconcileProjections(
  ports: { readonly files: Files; readonly locks: Locks },
  home: Home,
  session: Settings,
): Promise<void> {
  const { builder, reviewer, tester } = foldsOf(home, session);
  await new Projector({ ...ports, ...builder, path: home.builderLog }).reconcile();
  await new Projector({ ...ports, ...reviewer, path: home.reviewerLog }).reconcile();
  await new Projector({ ...ports, ...tester, path: home.testerLog }).reconcile();
}
