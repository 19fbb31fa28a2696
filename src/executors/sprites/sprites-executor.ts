import { isAbsolute } from "node:path";
import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { FAR_COMMAND_MS_MAX } from "../../base/limits.ts";
import type { Executor, ExecutorFailure, Place, PlaceState } from "../../base/ports/executor.ts";
import type { Web } from "../../base/ports/web.ts";
import { ok, type Result } from "../../base/result.ts";
import { sha256 } from "../../base/sha256.ts";
import { executorOverArgv, type ExecutorHost } from "../over-argv.ts";
import { keptAwake } from "./keep-awake.ts";
import { SpritePrograms } from "./sprite-programs.ts";
import { SpritesApi, parsedJson } from "./sprites-api.ts";

/** What the executor of Sprites is given of this machine. */
export interface SpritesHost extends ExecutorHost {
  readonly web: Web;
}

/** How sprites are made and reached. */
export interface SpritesOptions {
  /** As a person writes it after `--on`. */
  readonly name: string;
  /** The caller's `SPRITE_TOKEN`, or `SPRITES_TOKEN`; empty if there is none, which is refused when it is needed. */
  readonly token: string;
  /** The address of the service; `http` only on this machine. Absent: that of Fly.io. */
  readonly baseUrl?: string | undefined;
  /** How often a connection is asked for a sign of life, in milliseconds; without one for three times as long it is cut. */
  readonly pingMs?: number | undefined;
  /** The socket there of the sprite's own service, which keeps it awake. */
  readonly awakeSocket?: string | undefined;
  /** The time between two renewals, in seconds. */
  readonly awakeSeconds?: number | undefined;
}

const ROOT_SCRIPT = 'cd && mkdir -p -m 700 -- "$1" && cd -- "$1" && printf %s "$(pwd -P)"';
const ROOT_CHARS_MAX = 1_000;

const Sprite = lateObject(() => ({ status: z.string() }));
const Kept = lateObject(() => ({ id: z.string(), comment: z.string().optional() }));

/**
 * Places at Fly.io Sprites, one sprite each. A sprite sleeps when nothing uses it, and every request wakes it; what is
 * detached keeps it awake. Wishes but the key are not passed on: the service decides on the size.
 */
export function spritesExecutor(host: SpritesHost, options: SpritesOptions): Executor {
  const { name, token, baseUrl = "https://api.sprites.dev", pingMs = 15_000 } = options;
  const { awakeSocket: socket = "/.sprite/api.sock" } = options;
  const api = new SpritesApi(host.web, { name, token, baseUrl, pingMs });
  const programs = new SpritePrograms({ name, api, files: host.files });
  const byCommands = executorOverArgv(
    name,
    { ...host, programs },
    {
      argvTo: ({ id }, argv) => [id, ...argv],
      failureOf: (_place, end) => Promise.resolve(programs.failureOf(end)),
    },
  );
  const awake = { socket, everySeconds: options.awakeSeconds ?? 60 };
  return {
    ...{ kind: "sprites", name, ...byCommands },
    async create({ key }) {
      const id = spriteName(key);
      const found = await findOrMake(api, id);
      return found.ok ? makeRoot(api, byCommands, id) : found;
    },
    detach: (place, as, command) =>
      byCommands.detach(place, as, keptAwake(`wisp-${as}`, awake, command)),
    status: ({ id }) => stateOf(api, id),
    checkpoint: ({ id }, comment) => keep(api, id, comment),
    restore: ({ id }, checkpoint) => goBack(api, id, checkpoint),
    async destroy({ id }) {
      const removed = await api.ask("DELETE", id);
      return removed.ok || removed.failure.kind === "place-gone" ? ok(undefined) : removed;
    },
  };
}

/** A name is part of a host name: short, in lower case. */
function spriteName(key: string): string {
  return `wisp-${/^[a-z0-9-]{1,50}$/.test(key) ? key : sha256(key).slice(0, 24)}`;
}

type Asked<T = void> = Promise<Result<T, ExecutorFailure>>;

async function findOrMake(api: SpritesApi, name: string): Asked<unknown> {
  const found = await api.ask("GET", name);
  if (found.ok || found.failure.kind !== "place-gone") return found;
  const made = await api.ask("POST", "", { body: { name } });
  if (made.ok || made.failure.kind !== "executor-refused") return made;
  // Another call may have made it meanwhile, which is what the service refuses then.
  const again = await api.ask("GET", name);
  return again.ok ? again : made;
}

/** Makes the root of a place in the home of the user there: only the sprite knows where that is. */
async function makeRoot(
  api: SpritesApi,
  { exec }: Pick<Executor, "exec">,
  id: string,
): Asked<Place> {
  let root = "";
  const onStdout = (bytes: Uint8Array) => {
    if (root.length <= ROOT_CHARS_MAX) root += Buffer.from(bytes).toString("utf8");
  };
  const command = { argv: ["sh", "-c", ROOT_SCRIPT, "wisp", id] as const, cwd: "/" };
  const streams = { onStdout, timeoutMs: FAR_COMMAND_MS_MAX };
  const made = await exec({ id, root: "/" }, { ...command, argv: [...command.argv] }, streams);
  if (!made.ok) return made;
  const { value: end } = made;
  const isMade = end.kind === "exited" && end.exitCode === 0;
  return isMade && isAbsolute(root) && root.endsWith(`/${id}`) && root.length <= ROOT_CHARS_MAX
    ? ok({ id, root })
    : api.refuse(`its directory could not be made: ${end.stderr.trim()}`);
}

async function stateOf(api: SpritesApi, name: string): Asked<PlaceState> {
  const answer = await api.ask("GET", name);
  if (!answer.ok) return answer.failure.kind === "place-gone" ? ok({ kind: "gone" }) : answer;
  const read = Sprite.safeParse(parsedJson(answer.value));
  if (!read.success) return api.refuse("the service did not tell the status of the sprite");
  const { status } = read.data;
  if (status === "running") return ok({ kind: "up" });
  const isAsleep = status === "warm" || status === "cold";
  const reason = isAsleep ? "it sleeps until it is used" : `it is ${status}`;
  return ok({ kind: "waiting", reason: `${reason} (${status})` });
}

async function keep(api: SpritesApi, name: string, comment: string): Asked<string> {
  const kept = await api.follow(name, "/checkpoint", { comment });
  if (!kept.ok) return kept;
  const listed = await api.ask("GET", name, { path: "/checkpoints" });
  if (!listed.ok) return listed;
  const read = z.array(Kept).safeParse(parsedJson(listed.value));
  const numbers = (read.data ?? [])
    .filter((checkpoint) => checkpoint.comment === comment)
    .flatMap(({ id }) => /^v(\d+)$/.exec(id)?.[1] ?? [])
    .map(Number);
  return numbers.length === 0
    ? api.refuse("the service does not list the checkpoint that it made")
    : ok(`v${Math.max(...numbers)}`);
}

async function goBack(api: SpritesApi, name: string, checkpoint: string): Asked {
  const path = `/checkpoints/${encodeURIComponent(checkpoint)}/restore`;
  const restored = await api.follow(name, path);
  if (restored.ok || restored.failure.kind !== "place-gone") return restored;
  const found = await api.ask("GET", name);
  return found.ok ? api.refuse(`there is no checkpoint ${checkpoint}`) : restored;
}
