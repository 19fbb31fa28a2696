import { join } from "node:path";
import { z } from "zod";
import { NonEmpty, PositiveInt } from "../../base/plain-values.ts";
import { lateObject } from "../../base/late-object.ts";
import { assert } from "../../base/assert.ts";
import { Oid } from "../../base/oid.ts";
import { perRole, ROLES, type Role } from "../../base/role.ts";
import { SANDBOX_KINDS } from "../../base/ports/sandbox.ts";
import { Budget } from "./budget.ts";
import { Policy } from "./policy.ts";
import { LookNetwork } from "../records/look-record.ts";
import { holdsAllOf } from "../codec/holds-all-of.ts";

/** Versions of the protocol that this program can read, continue and revise. */
export const PROTOCOL_VERSIONS = [1, 2, 3] as const;

/** The version that it writes into new homes. */
export const PROTOCOL_VERSION = 3;

const Argv = z.array(z.string()).min(1);

/** An engine and its command line. */
const engine = {
  /** A coding CLI's name, or `acp`, `command` or `replay`. */
  name: NonEmpty,
  /**
   * The argument vector; its first word is absolute or found on PATH. For an engine with an
   * adapter: its executable and further arguments; the adapter adds the rest.
   */
  argv: Argv,
  /** For `acp`: the mode of the agent's sessions, by the id that it offers; absent: `default`, if it offers that. */
  mode: NonEmpty.optional(),
};

/** How a role runs its engine; frozen when the session starts. */
export const EngineSetting = lateObject(() => ({
  ...engine,
  turnTimeoutMs: PositiveInt,
  /** The longest silence of an engine that reports its progress. */
  idleTimeoutMs: PositiveInt.optional(),
  /**
   * The longest time until its first output; absent: two minutes, or the longest silence if that is
   * longer.
   */
  startTimeoutMs: PositiveInt.optional(),
  /** As the engine names it; absent: the engine's choice. */
  model: NonEmpty.optional(),
  /**
   * Names of variables that the engine may see besides its own; a trailing `*` matches any rest.
   */
  env: z.array(NonEmpty).optional(),
  /** Whether its answers must conform to a schema, if it supports that; absent: yes. */
  schema: z.boolean().optional(),
  /** Engines that replace this one when it is at its limit, in order. */
  fallbacks: z.array(z.object(engine)).optional(),
  /**
   * Engines that single turns request by name: those of reviewers with an engine of their own, and of single build
   * attempts.
   */
  named: z.array(z.object(engine)).optional(),
  /**
   * For the builder: who makes each of the attempts in a row without progress, by the names of `name`, `fallbacks` and
   * `named`; the last one serves all later attempts, and hints. What is absent in one is the setting's own. Absent: the
   * setting's own makes all.
   */
  attempts: z
    .array(z.object({ engine: NonEmpty.optional(), model: NonEmpty.optional() }))
    .min(1)
    .optional(),
}));
export type EngineSetting = z.infer<typeof EngineSetting>;

/** An MCP server, as the settings define it. */
export const McpServerSetting = lateObject(() => ({
  name: NonEmpty,
  command: z.array(z.string()).min(1),
  /** Names of variables that it receives. */
  env: z.array(z.string()),
  /** The roles whose engines it is offered to; absent: all. */
  roles: z.array(z.enum(ROLES)).optional(),
}));
export type McpServerSetting = z.infer<typeof McpServerSetting>;

/** The sandbox of a session; paths as a person wrote them. */
export const FrozenSandbox = lateObject(() => ({
  kind: z.enum(SANDBOX_KINDS),
  /** Why there is no sandbox, if one was looked for. */
  missing: z.string().optional(),
  network: z.boolean(),
  /** Whether setup, verify and the commands of bugs run in it too. */
  commands: z.boolean(),
  deny: z.array(z.string()),
  allow: z.array(z.string()),
  write: z.array(z.string()),
  /** Hosts that may be reached, if the sandbox distinguishes hosts. */
  domains: z.array(z.string()),
  /** For containers: what they are made from, and how much one may use. */
  container: z
    .object({
      image: NonEmpty,
      pids: PositiveInt,
      memoryBytes: PositiveInt,
      cpus: z.number().positive().optional(),
    })
    .optional(),
}));
export type FrozenSandbox = z.infer<typeof FrozenSandbox>;

/**
 * For a revision: the finished session that it changes, on the same branch and in the same clones.
 */
export const ParentSession = lateObject(() => ({
  id: NonEmpty,
  /** The revision's number, from 1. */
  revision: PositiveInt,
  /** `revise`: planned with a person; `requested`: what a review of the finished work asked for. */
  how: z.enum(["revise", "requested"]),
  /** What a person found wrong with the work, in their words. */
  asked: z.array(z.string()),
  /**
   * Where the branch was when the revision was created; absent: at `base`, which is the commit up
   * to which it had been reviewed.
   */
  began: Oid.optional(),
  /** Whether what works must stay as it is; absent: yes. */
  preserve: z.boolean().optional(),
  /** The folder of its roles' clones. */
  state: NonEmpty,
  /** The base of the first session: what the person had before. Absent: the revision began before this was recorded. */
  base: Oid.optional(),
  /** The network on which verify was decided at the base of the work; absent: not known. */
  network: LookNetwork.optional(),
  /** The conversation in which the work was built, if the engine can resume it. */
  builder: z.object({ engine: NonEmpty, session: NonEmpty }).optional(),
}));
export type ParentSession = z.infer<typeof ParentSession>;

/**
 * `session.json`: what never changes in a session. It is written once, before everything else of
 * the session; every role, even one started on its own, decides by the settings frozen in it.
 */
export const SessionJson = lateObject(() => ({
  version: z.literal(PROTOCOL_VERSIONS),
  /** Version of the wisp that created the session; absent if that version did not record it. */
  madeBy: z.string().optional(),
  /**
   * Slug of the branch, and name of the home folder; for a revision `<id of its
   * parent>/revision-<n>`.
   */
  id: NonEmpty,
  parent: ParentSession.optional(),
  /**
   * Form of PROGRESS.txt and CHANGES.md: 2 reports everything, in sentences; absent: the first
   * form.
   */
  progress: z.literal(2).optional(),
  branch: NonEmpty,
  base: Oid,
  createdAt: z.iso.datetime(),
  /** The user's repository: hub of the session. */
  repository: NonEmpty,
  /**
   * Wisp's own files and the roles' clones, outside the checkout. A revision uses its parent's
   * clones.
   */
  state: NonEmpty,
  identity: z.object({ name: NonEmpty, email: z.string() }),
  engines: z.object(perRole(() => EngineSetting)),
  policy: Policy,
  /**
   * Sessions that were started together share a fleet: what one does not use of its budget may be granted to the
   * others. Absent: the session is in none; so is every revision.
   */
  fleet: NonEmpty.optional(),
  /** For the whole session, and for each milestone; in a fleet, the session's share. */
  budget: z.object({ session: Budget, milestone: Budget }).optional(),
  /**
   * Whether turns run in a pid namespace of their own, if the system supports that; absent: yes.
   */
  namespaces: z.boolean().optional(),
  /** What confines turns, and the commands that wisp itself runs; absent: nothing. */
  sandbox: FrozenSandbox.optional(),
  /**
   * Filters of git: those that it ran in the person's checkout when the session began, and those without which the
   * person's own settings let commits be published. Absent: none of either is known.
   */
  filters: z.object({ defined: z.array(NonEmpty), allowed: z.array(NonEmpty) }).optional(),
  /**
   * The command that notifies a person of a question; empty: nobody is notified. Absent: the
   * desktop, if there is one.
   */
  notify: z.array(z.string()).optional(),
  /** MCP servers that engines are offered; absent: none. */
  mcp: z.array(McpServerSetting).optional(),
  /**
   * How reviewers of one range share turns; absent: each has its own, one after the other. `auto`:
   * all share one if the change is small, otherwise each has its own.
   */
  review: z
    .object({
      batch: z.union([z.literal("auto"), PositiveInt]),
      parallel: PositiveInt,
    })
    .optional(),
  /** Commands that wisp itself runs, as argument vectors, in order; empty = none. */
  verify: z.array(Argv),
  setup: z.array(Argv),
  /**
   * `env`: names of variables that they see besides those that every command sees; a trailing `*`
   * matches any rest. `slot`: names of variables that are set to ports of their own in each verify tree; absent, as in
   * sessions that began before it existed: commands get no slot. `ci`: whether all but setup get `CI=true`, unless the
   * person's own has another value; absent: no.
   */
  commands: z
    .object({
      env: z.array(NonEmpty),
      slot: z.array(NonEmpty).optional(),
      ci: z.boolean().optional(),
    })
    .optional(),
  /**
   * Builds what running a commit requires but is not committed; run at each commit that is judged.
   * Absent: nothing.
   */
  build: z.array(Argv).optional(),
  /** Globs of files that setup depends on besides those that wisp knows; absent: none. */
  setupInputs: z.array(z.string()).optional(),
  verifyTimeoutMs: PositiveInt,
  testPaths: z.array(z.string()),
  publish: z.object({
    remote: z.string().optional(),
    at: z.enum(["boundary", "done"]),
  }),
  /** Absent: `wisp done` does not publish the report. */
  report: z.object({ publish: z.boolean() }).optional(),
}));
export type SessionJson = z.infer<typeof SessionJson>;

/** Encodes `session.json`, and checks that every field is in the schema. */
export function encodeSession(session: SessionJson): string {
  const known = SessionJson.parse(session, { jitless: true });
  assert(holdsAllOf(known, session), "a session holds nothing that its schema has not");
  return `${JSON.stringify(known, undefined, 2)}\n`;
}

/** A session that a later version of the protocol created: its protocol version, and wisp's. */
export const LaterSession = lateObject(() => ({
  version: z.int().gt(PROTOCOL_VERSION),
  madeBy: z.string().optional().catch(undefined),
}));
export type LaterSession = z.infer<typeof LaterSession>;

/** The folder of a role's clones: a revision works in those of its parent. */
export function clonesDirectory(
  { state, parent }: Pick<SessionJson, "state" | "parent">,
  role: Role,
): string {
  return join(parent?.state ?? state, role);
}
