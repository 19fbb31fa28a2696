import type { Result } from "../base/result.ts";
import { createSessionReader, type ReadFailure } from "../fs-protocol/session-reader.ts";
import type { Quarantined } from "../fs-protocol/log-fold.ts";
import type { SessionState } from "../fs-protocol/session-state.ts";
import { openHub } from "../git/hub.ts";
import { createNodeDirectories } from "../host/node-directories.ts";
import type { Cli } from "./cli.ts";
import type { FoundSession } from "./sessions.ts";

/** A session's logs and branch as they stand now. */
export interface ReadState {
  readonly state: SessionState;
  readonly quarantined: readonly Quarantined[];
}

/** Reads a session once. */
export async function readState(
  { host, env }: Pick<Cli, "host" | "env">,
  { home, session }: FoundSession,
): Promise<Result<ReadState, ReadFailure>> {
  const { files, clock } = host;
  const git = { files, clock, environment: env, directories: createNodeDirectories() };
  const reader = createSessionReader(files, openHub(git, session.repository), home, session);
  const read = await reader.read();
  if (!read.ok) return read;
  return { ok: true, value: { state: read.value, quarantined: reader.quarantined() } };
}
