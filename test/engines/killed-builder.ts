import { checkSession } from "../rig/check-session.ts";
import type { ProcessSession } from "../rig/process-session.ts";

/** The tool has started: its process has the mark of the rig. */
export function hasSlept(session: ProcessSession): boolean {
  return session.leftovers().some((line) => / sleep 300/u.test(line));
}

/** The process of the builder that was started last. */
export function builderPid(session: ProcessSession): number {
  const starts = checkSession(session.home()).history.builder.records.flatMap((record) =>
    record.kind === "role.start" ? [record.pid] : [],
  );
  return starts.at(-1) ?? 0;
}
