import { join } from "node:path";
import { z } from "zod";
import { assert } from "../../base/assert.ts";
import { Oid } from "../../base/oid.ts";
import { perRole, ROLES, type Role } from "../../base/role.ts";
import { SANDBOX_KINDS } from "../../base/ports/sandbox.ts";
import { Budget } from "./budget.ts";
import { Policy } from "./policy.ts";
import { saysAll } from "../codec/says-all.ts";

/** Versions of the protocol that this program reads, goes on with, and revises. */
export const PROTOCOL_VERSIONS = [1, 2] as const;

/** What it writes into the homes that it makes. */
export const PROTOCOL_VERSION = 2;

const Argv = z.array(z.string()).min(1);

/** An engine and its command line. */
const engine = {
  /** That of a coding CLI, or `acp`, `command` or `replay`. */
  name: z.string().min(1),
  /**
   * The argument vector, its first word absolute or found on PATH. For an engine with an adapter: its
   * executable and further arguments; the rest comes from the adapter.
   */
  argv: Argv,
};

/** How a role runs its engine; frozen when the session starts. */
export const EngineSetting = z.object({
  ...engine,
  turnTimeoutMs: z.int().positive(),
  /** Longest silence of an engine that tells what it does. */
  idleTimeoutMs: z.int().positive().optional(),
  /** Longest time to its first output; absent: two minutes, or the silence where that is longer. */
  startTimeoutMs: z.int().positive().optional(),
  /** As the engine names it; absent: its own choice. */
  model: z.string().min(1).optional(),
  /** Names of variables that the engine may see beside its own; `*` at the end of one is any rest. */
  env: z.array(z.string().min(1)).optional(),
  /** Whether its answers are bound to a schema, where it can do that; absent: they are. */
  schema: z.boolean().optional(),
  /** Engines that stand in when this one is at its limit, in order. */
  fallbacks: z.array(z.object(engine)).optional(),
  /** Engines that single turns ask for by name: those of reviewers that have one of their own. */
  named: z.array(z.object(engine)).optional(),
});
export type EngineSetting = z.infer<typeof EngineSetting>;

/** An MCP server, as the settings name it. */
export const McpServerSetting = z.object({
  name: z.string().min(1),
  command: z.array(z.string()).min(1),
  /** Names of variables that it is given. */
  env: z.array(z.string()),
  /** Whose engines it is offered to; absent: all. */
  roles: z.array(z.enum(ROLES)).optional(),
});
export type McpServerSetting = z.infer<typeof McpServerSetting>;

/** The sandbox of a session; paths as a person wrote them. */
export const FrozenSandbox = z.object({
  kind: z.enum(SANDBOX_KINDS),
  /** Why there is none, where one was looked for. */
  missing: z.string().optional(),
  network: z.boolean(),
  /** Whether setup, verify and the commands of bugs run in it as well. */
  commands: z.boolean(),
  deny: z.array(z.string()),
  allow: z.array(z.string()),
  write: z.array(z.string()),
  /** Hosts that may be reached, where the sandbox tells hosts apart. */
  domains: z.array(z.string()),
});
export type FrozenSandbox = z.infer<typeof FrozenSandbox>;

/** Of a revision: the finished session that it mends, on the same branch and in the same clones. */
export const ParentSession = z.object({
  id: z.string().min(1),
  /** Which revision of it this is, from 1. */
  revision: z.int().positive(),
  /** `revise`: planned with a person; `requested`: what a review of the finished work asked for. */
  how: z.enum(["revise", "requested"]),
  /** What a person found wrong with the work, in their words. */
  asked: z.array(z.string()),
  /** Where the branch stood when it was made; absent: at `base`, which is up to where it had been reviewed. */
  began: Oid.optional(),
  /** Whether what works is to stay as it is; absent: it is. */
  preserve: z.boolean().optional(),
  /** Where the clones of its roles are. */
  state: z.string().min(1),
  /** The conversation in which the work was built, where the engine can go on with it. */
  builder: z.object({ engine: z.string().min(1), session: z.string().min(1) }).optional(),
});
export type ParentSession = z.infer<typeof ParentSession>;

/**
 * `session.json`: what never changes in a session. Written once, before anything else of it; every
 * role, also one started alone, decides by the settings frozen in it.
 */
export const SessionJson = z.object({
  version: z.literal(PROTOCOL_VERSIONS),
  /** Version of the wisp that made the session; absent: none that said so. */
  madeBy: z.string().optional(),
  /** Slug of the branch, and the name of the home folder; of a revision `<id of its parent>/revision-<n>`. */
  id: z.string().min(1),
  parent: ParentSession.optional(),
  /** Form of PROGRESS.txt and CHANGES.md: 2 tells of everything, in sentences; absent: the first one. */
  progress: z.literal(2).optional(),
  branch: z.string().min(1),
  base: Oid,
  createdAt: z.iso.datetime(),
  /** The user's repository: hub of the session. */
  repository: z.string().min(1),
  /** What wisp keeps for itself, and the roles' clones, outside the checkout. A revision uses its parent's clones. */
  state: z.string().min(1),
  identity: z.object({ name: z.string().min(1), email: z.string() }),
  engines: z.object(perRole(() => EngineSetting)),
  policy: Policy,
  /** For the whole session, and for each milestone. */
  budget: z.object({ session: Budget, milestone: Budget }).optional(),
  /** Whether turns run in a pid namespace of their own, where the system gives one; absent: they do. */
  namespaces: z.boolean().optional(),
  /** What confines turns, and what wisp itself runs; absent: nothing does. */
  sandbox: FrozenSandbox.optional(),
  /** The command that tells a person of a question; empty: nobody is told. Absent: a desktop, where there is one. */
  notify: z.array(z.string()).optional(),
  /** MCP servers that engines are offered; absent: none. */
  mcp: z.array(McpServerSetting).optional(),
  /**
   * How reviewers of one range are put into turns; absent: each has one of its own, one after the other.
   * `auto`: all share one where the change is small, otherwise each has its own.
   */
  review: z
    .object({
      batch: z.union([z.literal("auto"), z.int().positive()]),
      parallel: z.int().positive(),
    })
    .optional(),
  /** Commands run by wisp itself, as argument vectors, in order; empty = none. */
  verify: z.array(Argv),
  setup: z.array(Argv),
  /** `env`: names of variables that they see beside what all may; `*` at the end of one is any rest. */
  commands: z.object({ env: z.array(z.string().min(1)) }).optional(),
  /** Makes what a commit does not hold but needs to be run; run at each commit that is judged. Absent: nothing. */
  build: z.array(Argv).optional(),
  /** Globs of files that setup depends on beside those that wisp knows; absent: none. */
  setupInputs: z.array(z.string()).optional(),
  verifyTimeoutMs: z.int().positive(),
  testPaths: z.array(z.string()),
  publish: z.object({
    remote: z.string().optional(),
    at: z.enum(["boundary", "done"]),
  }),
});
export type SessionJson = z.infer<typeof SessionJson>;

/** What `session.json` holds, as it is written: with nothing that no reader knows. */
export function encodeSession(session: SessionJson): string {
  const known = SessionJson.parse(session);
  assert(saysAll(known, session), "a session holds nothing that its schema has not");
  return `${JSON.stringify(known, undefined, 2)}\n`;
}

/** Of a session that a later version of the protocol made: which one, and by whom. */
export const LaterSession = z.object({
  version: z.int().gt(PROTOCOL_VERSION),
  madeBy: z.string().optional().catch(undefined),
});
export type LaterSession = z.infer<typeof LaterSession>;

/** Where a role's clones are: a revision works in those of its parent. */
export function clonesDirectory(
  { state, parent }: Pick<SessionJson, "state" | "parent">,
  role: Role,
): string {
  return join(parent?.state ?? state, role);
}
