import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { z } from "zod";
import { temporaryDirectory } from "../../host/system/this-machine.ts";
import { shown } from "../../base/words/shown.ts";
import { assert } from "../../base/assert.ts";
import { ok, type Result } from "../../base/result.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { Sandbox } from "../../base/ports/sandbox.ts";
import { ENGINE_NEEDS } from "../../engines/coding-clis.ts";
import type { FrozenSandbox } from "../../fs-protocol/home/session-json.ts";
import type { SecretCanary } from "../../host/probe/look-for-secrets.ts";
import { protectedInHome, secretsInHome } from "../../sandbox/engine-folders.ts";
import { chooseSandbox } from "../../workspace/choose-sandbox.ts";
import { wispArgv, type World } from "../../workspace/world.ts";
import { failed, fine, warn, type Check } from "./doctor-check.ts";
import { engineOf } from "../attach/open-engine.ts";
import { homesOf, openSandbox } from "../attach/open-sandbox.ts";
import { count } from "../../base/words/sentence.ts";
import type { SandboxConfig } from "../../settings/schema/sandbox-setting.ts";

/** The output of the probing process, as one line of JSON. */
const Look = z.object({
  sightings: z.array(z.object({ word: z.string(), way: z.string() })),
  visible: z.array(z.string()),
  kernel: z.object({ openable: z.array(z.string()), isCut: z.boolean() }),
});

const PROBE_MS_MAX = 120_000;

/** A fake user: what is planted belongs to them, and is removed with them. */
interface Person {
  readonly root: string;
  readonly home: string;
  readonly repository: string;
  readonly clone: string;
}

/**
 * Plants a canary in each protected place of a fake home, and starts a process, the way engines are
 * started, that looks for them in every possible way. In the real home it only checks whether
 * protected places are visible.
 */
export async function probeSecrets(
  world: World,
  setting: SandboxConfig,
): Promise<readonly Check[]> {
  const chosen = await chooseSandbox(world, setting);
  if (!chosen.ok) return [failed("secrets", chosen.failure.reason, "wisp doctor")];
  const root = join(temporaryDirectory(), `wisp-probe-${randomUUID()}`);
  const home = join(root, "home");
  const person: Person = {
    root,
    home,
    repository: join(home, "project"),
    clone: join(home, ".local", "state", "wisp", "project", "probe", "builder", "clone"),
  };
  try {
    const planted = plant(world, person, chosen.value);
    if (!planted.ok) {
      const { errno, path } = planted.failure;
      return [failed("secrets", `${shown(path)} cannot be written: ${errno}`, "wisp doctor")];
    }
    return [
      await probeMadeUp(world, person, { frozen: chosen.value, canaries: planted.value }),
      ...(await probeReal(world, person, chosen.value)),
    ];
  } finally {
    world.host.directories.removeTree(root);
  }
}

/** A canary that must be found: otherwise the probe would prove nothing. */
const CONTROL = "control";

function plant(
  { host: { files } }: World,
  { home, repository, clone, root }: Person,
  { deny }: FrozenSandbox,
): Result<readonly SecretCanary[], FileFailure> {
  const inHome = [...protectedInHome(ENGINE_NEEDS), ".env", ".bash_history"];
  const named = deny.flatMap((path) => {
    if (path.startsWith("~/")) return [join(home, path.slice(2))];
    return path.startsWith("/") ? [] : [join(clone, path), join(repository, path)];
  });
  const paths = [
    ...[...inHome, "Documents/letter.txt", "other-project/.env"].map((path) => join(home, path)),
    ...[join(clone, ".env"), join(clone, "packages/api/.env.local"), join(root, "of-others")],
    ...[join(repository, ".env"), join(repository, "packages/api/.env.local")],
    ...[join(repository, ".git", "config"), ...named],
  ];
  const canaries = [...new Set(paths)].map((path) => ({ path, word: randomUUID() }));
  for (const { path, word } of [...canaries, { path: join(home, ".profile"), word: CONTROL }]) {
    const made = files.makeDirectory(dirname(path));
    if (!made.ok) return made;
    const written = files.create(path, Buffer.from(`[token]\n\tvalue = ${word}\n`));
    if (!written.ok) return written;
  }
  const made = files.makeDirectory(join(clone, ".git", "objects"));
  return made.ok ? ok(canaries) : made;
}

async function probeMadeUp(
  world: World,
  person: Person,
  {
    frozen,
    canaries,
  }: { readonly frozen: FrozenSandbox; readonly canaries: readonly SecretCanary[] },
): Promise<Check> {
  const inherited: SecretCanary = {
    path: "a variable of wisp's own environment",
    word: randomUUID(),
  };
  const env = { ...world.env, HOME: person.home, WISP_PROBE_TOKEN: inherited.word };
  const sandbox = await openFor({ ...world, env }, person, { frozen, homes: [person.home] });
  const asked = [...canaries, inherited];
  const control = { path: join(person.home, ".profile"), word: CONTROL };
  const look = await lookInside({ ...world, env }, person, {
    sandbox,
    input: { canaries: [...asked, control], paths: [] },
  });
  if (typeof look === "string") return failed("secrets", look, "wisp doctor");
  const { sightings } = look;
  if (!sightings.some(({ word }) => word === CONTROL)) {
    return failed(
      "secrets",
      "the probe could not read anything at all, so it proves nothing",
      "wisp doctor",
    );
  }
  const found = asked.flatMap(({ path, word }) => {
    const ways = sightings.filter((seen) => seen.word === word).map(({ way }) => way);
    const place = path.replace(person.home, "~");
    return ways.length === 0 ? [] : [`${place} (${ways.join(", ")})`];
  });
  const what = `${count(asked.length, "protected place")} tried by path, link, /proc, environment and git`;
  if (found.length === 0) return fine("secrets", `${what}: an engine can read none of them`);
  const fix = frozen.kind === "none" ? "Install bubblewrap." : "See docs/SANDBOX.md.";
  const list = found.map((place) => shown(place)).join(", ");
  return failed("secrets", `an engine can read ${String(found.length)} of them: ${list}`, fix);
}

/** With the real home: what is visible of it, and which settings of the kernel can be opened. */
async function probeReal(
  world: World,
  person: Person,
  frozen: FrozenSandbox,
): Promise<readonly Check[]> {
  const homes = homesOf(world.env);
  const paths = homes.flatMap((home) =>
    secretsInHome(ENGINE_NEEDS).map((path) => join(home, path)),
  );
  const there = paths.filter((path) => world.host.directories.kindOf(path) !== undefined);
  const sandbox = await openFor(world, person, { frozen, homes });
  const input = { canaries: [], paths: there };
  const look = await lookInside(world, person, { sandbox, input });
  if (typeof look === "string") return [failed("secrets.real", look, "wisp doctor")];
  return [visibleCheck(look, { frozen, homes, there }), kernelCheck(look, frozen)];
}

function visibleCheck(
  look: z.infer<typeof Look>,
  {
    frozen,
    homes,
    there,
  }: {
    readonly frozen: FrozenSandbox;
    readonly homes: readonly string[];
    readonly there: readonly string[];
  },
): Check {
  const allowed = new Set(
    [...frozen.allow, ...frozen.write].map((path) => path.replace(/^~/, homes[0] ?? "~")),
  );
  const visible = look.visible.filter((path) => !allowed.has(path));
  const what = `${count(there.length, "protected place")} of your own`;
  if (visible.length > 0) {
    const list = visible.map((path) => shown(path)).join(", ");
    return failed("secrets.real", `of ${what}, an engine can see: ${list}`, "See docs/SANDBOX.md.");
  }
  return look.visible.length === 0
    ? fine("secrets.real", `${what}: an engine can see none of them`)
    : warn(
        "secrets.real",
        `${what}: the settings allow ${String(look.visible.length)}`,
        "sandbox.allow",
      );
}

/** Nothing is written, whatever can be opened. */
function kernelCheck({ kernel }: z.infer<typeof Look>, { kind }: FrozenSandbox): Check {
  const { openable, isCut } = kernel;
  const [first] = openable;
  if (first !== undefined) {
    const what = `an engine can open ${count(openable.length, "setting")} of the kernel for writing, such as ${shown(first)}`;
    const fix =
      kind === "none" ? "Install bubblewrap, or do not run as root." : "Do not run as root.";
    return failed("secrets.kernel", what, fix);
  }
  if (isCut) {
    return failed(
      "secrets.kernel",
      "/proc has more entries than were looked at",
      "See docs/SANDBOX.md.",
    );
  }
  return fine(
    "secrets.kernel",
    "settings of the kernel: an engine can open none of them for writing",
  );
}

function openFor(
  world: World,
  { repository, clone }: Person,
  { frozen, homes }: { readonly frozen: FrozenSandbox; readonly homes: readonly string[] },
): Promise<Sandbox> {
  const role = dirname(clone);
  return openSandbox(world, {
    frozen,
    places: {
      homes,
      repository,
      scratch: join(role, "sandbox"),
      state: [dirname(dirname(dirname(role)))],
      caches: join(dirname(dirname(role)), ".caches"),
    },
  });
}

interface Looking {
  readonly sandbox: Sandbox;
  readonly input: { readonly canaries: readonly SecretCanary[]; readonly paths: readonly string[] };
}

/**
 * Runs the probing process as a turn of a command engine. Returns a text that explains the failure
 * if it fails.
 */
async function lookInside(
  world: World,
  { clone, root }: Person,
  { sandbox, input }: Looking,
): Promise<z.infer<typeof Look> | string> {
  const argv = wispArgv(world, "look-for-secrets");
  const engine = engineOf(world, { name: "command", argv }, join(root, "tmp"), { sandbox });
  const outputBase = join(root, `turn-${randomUUID()}`);
  const outcome = await engine.turn({
    role: "builder",
    purpose: "build",
    session: "probe",
    home: root,
    unit: "probe",
    attempt: 1,
    ask: 1,
    prompt: JSON.stringify(input),
    cwd: clone,
    outputBase,
    runId: outputBase,
    isIsolated: true,
    timeoutMs: PROBE_MS_MAX,
    signal: new AbortController().signal,
  });
  if (outcome.kind !== "ended") {
    assert(outcome.kind === "failed", "a probe asks nothing, and nobody stops it");
    return `a process could not be started the way engines are: ${outcome.reason}`;
  }
  const printed = world.host.files.read(`${outputBase}.out`);
  const text = printed.ok ? Buffer.from(printed.value ?? []).toString("utf8") : "";
  const look = Look.safeParse(parsed(text));
  return look.success ? look.data : "the probing process printed nothing readable";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
