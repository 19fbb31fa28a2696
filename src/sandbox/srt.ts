import { createHash } from "node:crypto";
import { join } from "node:path";
import { fail, ok } from "../base/result.ts";
import type { Sandbox } from "../base/ports/sandbox.ts";
import { foldersOf, ofAll, protectedInHome } from "./engine-folders.ts";
import { protectedInClone, protectedInTree } from "./hide-in-trees.ts";
import { gitDirectories, hubObjects, workTreesToHide } from "./hub-objects.ts";
import type { MountFacts } from "./mount-facts.ts";
import { temporaryFolder } from "./plan-mounts.ts";
import { isWithin } from "./mounts.ts";
import { SYSTEM_PROTECTED } from "./protected-places.ts";
import type { SandboxPlaces, SandboxSetting } from "./sandbox-setting.ts";
import { absolutePaths, givenInCheckout } from "./settings-paths.ts";
import type { SandboxWorld } from "./world.ts";

export interface SrtOptions {
  /** The absolute path of `srt`. */
  readonly executable: string;
  readonly setting: SandboxSetting & { readonly domains: readonly string[] };
  readonly places: SandboxPlaces;
  readonly world: SandboxWorld;
}

/** Hosts that installations need, besides those of engines; `srt` cannot allow all hosts. */
const DOMAINS: readonly string[] = [
  ...["github.com", "*.github.com", "*.githubusercontent.com"],
  ...["registry.npmjs.org", "registry.yarnpkg.com", "pypi.org", "files.pythonhosted.org"],
  ...["proxy.golang.org", "sum.golang.org", "crates.io", "*.crates.io"],
];

/**
 * Uses `@anthropic-ai/sandbox-runtime`, if the user has installed it: protected places cannot be read, places that
 * are not named cannot be written, and only the named hosts can be reached. Weaker than bubblewrap, because
 * everything else is readable; but it is all there is on macOS.
 */
export function createSrt({ executable, setting, places, world }: SrtOptions): Sandbox {
  return {
    kind: "srt",
    confine(confinement) {
      const facts = { world, setting, places, confinement };
      const hosts = ofAll(world.engines, (needs) => needs.hosts);
      const hasHosts = setting.network && confinement.hasOwnLoopback !== true;
      const text = JSON.stringify({
        network: {
          allowedDomains: hasHosts ? [...hosts, ...DOMAINS, ...setting.domains] : [],
          deniedDomains: [],
          allowLocalBinding: true,
        },
        filesystem: {
          denyRead: unreadable(facts),
          allowWrite: writable(facts),
          denyWrite: [],
        },
      });
      const name = createHash("sha256").update(text).digest("hex").slice(0, 16);
      const path = `${settingsOf(places)}${name}.json`;
      const made = world.files.makeScratchDirectory(places.scratch);
      const written = made.ok ? world.files.replace(path, Buffer.from(text)) : made;
      if (!written.ok) {
        const reason = `the sandbox's settings cannot be written: ${written.failure.errno}`;
        return fail({ kind: "sandbox", reason });
      }
      world.files.makeScratchDirectory(temporaryFolder(places, confinement.command.cwd));
      const { cwd, env } = confinement.command;
      // `srt` would otherwise set a TMPDIR that all commands share.
      const tmp = `TMPDIR=${env["TMPDIR"] ?? temporaryFolder(places, cwd)}`;
      const before = [executable, "--settings", path, "--", "env", tmp];
      return ok({ before, env: {}, isKeeper: false });
    },
  };
}

/** The prefix of the paths of its settings files. */
function settingsOf({ scratch }: SandboxPlaces): string {
  return join(scratch, "srt-");
}

/** A minimal command that works only if `srt` does. */
export function srtProbe(executable: string): readonly [string, ...string[]] {
  return [executable, "--", "true"];
}

function unreadable(facts: MountFacts): readonly string[] {
  const { world, setting, places, confinement } = facts;
  const { engine, command } = confinement;
  const [home = "/"] = places.homes;
  const own = foldersOf(world.engines, engine, { home, env: command.env });
  const inHomes = places.homes.flatMap((one) =>
    [...protectedInHome(world.engines), ".env"].map((path) => join(one, path)),
  );
  const inCheckout = protectedInTree(facts, places.repository).map((path) =>
    join(places.repository, path),
  );
  const inClone = protectedInClone(facts).map((path) => join(command.cwd, path));
  const allowed = new Set([
    ...[...own.folders, ...own.files],
    ...absolutePaths(facts, [...setting.allow, ...setting.write]),
  ]);
  const all = [
    ...[...SYSTEM_PROTECTED, ...inHomes, ...inCheckout, ...inClone],
    ...stateOfOthers(facts),
    ...checkoutFiles(facts),
    ...gitDirectories(world, places.repository).map((path) => join(path, "config")),
    ...absolutePaths(facts, setting.deny),
  ];
  return all.filter((path) => !allowed.has(path) && world.tree.realPath(path) !== undefined);
}

/**
 * wisp's state that was not given to this command. Files created while it runs, in folders that hold something of
 * its own, stay readable: `srt` accepts names only, not "all except some".
 */
function stateOfOthers(facts: MountFacts): readonly string[] {
  return allExcept(facts, facts.places.state, ownPlaces(facts));
}

/**
 * The files of the checkout and of the other work trees of its repository, but for what a command is given of them, if it
 * must not find any.
 */
function checkoutFiles(facts: MountFacts): readonly string[] {
  const { world, places, setting, confinement } = facts;
  if (confinement.hidesCheckout !== true) return [];
  const homes = places.homes.flatMap((home) => world.tree.realPath(home) ?? []);
  const hidden = workTreesToHide(facts, homes);
  const checkout = world.tree.realPath(places.repository);
  // It may have a link in its path.
  const named = checkout !== undefined && hidden.includes(checkout) ? [places.repository] : [];
  const shown = [
    ...absolutePaths(facts, [...setting.allow, ...setting.write]),
    ...givenInCheckout(facts),
  ];
  const isShown = checkout !== undefined && shown.includes(checkout);
  return allExcept(
    facts,
    [...new Set([...named, ...hidden])],
    [
      ...ownPlaces(facts),
      ...hubObjects(world, places.repository),
      ...shown,
      ...(isShown ? named : []),
    ],
  );
}

/** What belongs to this command, by each of its paths. */
function ownPlaces({ world, places, confinement }: MountFacts): readonly string[] {
  const { command, readable = [], writable: asked = [] } = confinement;
  const given = [command.cwd, places.caches, temporaryFolder(places, command.cwd)];
  const shared = places.objects === undefined ? [] : [places.objects];
  return [...given, ...shared, ...readable, ...asked].flatMap((path) => [
    path,
    world.tree.realPath(path) ?? path,
  ]);
}

/** The fewest paths that have everything in `folders`, except what is in `own`. */
function allExcept(
  { world, places }: MountFacts,
  folders: readonly string[],
  own: readonly string[],
): readonly string[] {
  const found: string[] = [];
  const waiting = [...folders];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const at = path;
    // Skip the settings files written here: each would otherwise appear in the next one, and change it.
    if (own.includes(at) || at.startsWith(settingsOf(places))) continue;
    if (!own.some((one) => isWithin(one, at))) found.push(at);
    else waiting.push(...world.tree.entries(at).map(({ name }) => join(at, name)));
  }
  return found;
}

function writable(facts: MountFacts): readonly string[] {
  const { world, setting, places, confinement } = facts;
  const { command, engine, writable: asked = [] } = confinement;
  const [home = "/"] = places.homes;
  const { folders, files } = foldersOf(world.engines, engine, { home, env: command.env });
  const own = [...folders, ...files, ...asked, temporaryFolder(places, command.cwd)];
  return [command.cwd, ...own, ...absolutePaths(facts, setting.write)];
}
