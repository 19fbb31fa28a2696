import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { NonEmpty, PositiveInt } from "../../base/plain-values.ts";

/**
 * `fleet.json` in a folder of the queue: what the requests of one start have in common. Written once, together with the
 * entries.
 */
export const FleetJson = lateObject(() => ({
  version: z.literal(1),
  /** Names the folder, and all sessions of this start together. */
  fleet: NonEmpty,
  createdAt: NonEmpty,
  /** The executor, as a person names it. Absent: the sessions run here. */
  on: NonEmpty.optional(),
  /** How many of its sessions may be unfinished at a time. Absent: all of them. */
  max: PositiveInt.optional(),
  /** The options of the start, which are those of each session. */
  options: z.object({
    up: z.boolean(),
    again: z.boolean(),
    plan: z.boolean(),
    strict: z.boolean(),
    noFix: z.boolean(),
    withoutSandbox: z.boolean(),
    /** Whether the work begins on a red base. Absent: a person is asked. */
    acceptRedBase: z.boolean().optional(),
    /** What the sessions may use together, of which each has a share. */
    budget: z.string().optional(),
    milestoneBudget: z.string().optional(),
    /** Engines and models that the command line named, each a name or `role=name`. */
    engine: z.array(z.string()).optional(),
    model: z.array(z.string()).optional(),
  }),
}));
export type FleetJson = z.infer<typeof FleetJson>;

/** `<number>.json` in a folder of the queue: one request, and how far its start is. */
export const EntryJson = lateObject(() => ({
  version: z.literal(1),
  number: PositiveInt,
  /** The path of the request when it was queued, absolute. Its content is in the file `<number>.request` beside this. */
  request: NonEmpty,
  /** The SHA-256 of its content, in hex. */
  digest: NonEmpty,
  /**
   * `waiting`: nothing of it exists. `claimed`: it is being started, or something of it may exist. `started`: there is a
   * session. `failed`: it is not tried again unless a person asks for it.
   */
  state: z.enum(["waiting", "claimed", "started", "failed"]),
  /** The branch that was chosen when it was first claimed: an interrupted start is recognised by it. */
  branch: NonEmpty.optional(),
  session: NonEmpty.optional(),
  /** Its share of what the sessions of the start may use together, as `--budget` takes it. */
  budget: NonEmpty.optional(),
  /** At an executor that itself holds places back: the entries whose places have to be gone before its own begins. */
  after: z.array(PositiveInt).optional(),
  /** How many attempts have failed. */
  tries: z.int().nonnegative(),
  /** When it may be tried again, in ms since 1970. Absent: now. */
  afterMs: z.number().optional(),
  /** Why the last attempt came to nothing, or what it waits for. */
  reason: z.object({ code: NonEmpty, says: z.string() }).optional(),
}));
export type EntryJson = z.infer<typeof EntryJson>;
