import type { z } from "zod";
import { logFolds } from "../session/state/log-folds.ts";
import type { Files } from "../base/ports/files.ts";
import type { Locks } from "../base/ports/locks.ts";
import type { Role } from "../base/role.ts";
import type { BuilderRecord } from "../fs-protocol/records/builder-log.ts";
import type { BuilderFold } from "../session/state/builder-state.ts";
import type { JudgeFold } from "../session/state/fold-judge.ts";
import { roleLog, type Home } from "../fs-protocol/home/home.ts";
import type { HomeLogs, LogContent } from "../fs-protocol/home/home-logs.ts";
import type { ReviewerRecord } from "../fs-protocol/records/reviewer-log.ts";
import type { SessionJson } from "../fs-protocol/home/session-json.ts";
import type { TesterRecord } from "../fs-protocol/records/tester-log.ts";
import { builderProjections } from "./builder/projections.ts";
import { Projector, type JournalFold, type Projection } from "./home/projector.ts";
import { reviewerProjections } from "./reviewer/projections.ts";
import { testerProjections } from "./tester/projections.ts";

/** A role's journal, and what it puts into other files. */
interface Source<S extends z.ZodType, F> extends JournalFold<S, F> {
  readonly role: Role;
}

interface Sources {
  readonly builder: Source<typeof BuilderRecord, BuilderFold>;
  readonly reviewer: Source<typeof ReviewerRecord, JudgeFold>;
  readonly tester: Source<typeof TesterRecord, JudgeFold>;
}

function sourcesOf(
  home: Home,
  session: Pick<SessionJson, "policy" | "parent" | "progress">,
): Sources {
  const { builder, reviewer, tester } = logFolds(session);
  return {
    builder: { ...builder, role: "builder", project: builderProjections(home, session) },
    reviewer: { ...reviewer, role: "reviewer", project: reviewerProjections(home, session) },
    tester: { ...tester, role: "tester", project: testerProjections(home, session) },
  };
}

/** Everything that the journals of a home say must stand in other files, in their order. */
export function expectedProjections(
  home: Home,
  session: Pick<SessionJson, "policy" | "parent" | "progress">,
  logs: Pick<HomeLogs, "builder" | "reviewer" | "tester">,
): readonly Projection[] {
  const sources = sourcesOf(home, session);
  return [
    ...expectedOf(sources.builder, logs.builder),
    ...expectedOf(sources.reviewer, logs.reviewer),
    ...expectedOf(sources.tester, logs.tester),
  ];
}

function expectedOf<S extends z.ZodType, F>(
  { empty, reduce, project }: Source<S, F>,
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

/** As each role does when it starts: appends what the journals say and the files lack. */
export async function reconcileProjections(
  ports: { readonly files: Files; readonly locks: Locks },
  home: Home,
  session: Pick<SessionJson, "policy" | "parent" | "progress">,
): Promise<void> {
  const { builder, reviewer, tester } = sourcesOf(home, session);
  await projectorOf(ports, home, builder).reconcile();
  await projectorOf(ports, home, reviewer).reconcile();
  await projectorOf(ports, home, tester).reconcile();
}

function projectorOf<S extends z.ZodType, F>(
  ports: { readonly files: Files; readonly locks: Locks },
  home: Home,
  { role, ...source }: Source<S, F>,
): Projector<S, F> {
  return new Projector({ ...ports, ...source, path: roleLog(home, role) });
}
