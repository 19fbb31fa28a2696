import { isAbsolute, join, resolve } from "node:path";
import type { FileFailure } from "../base/files.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { ROLES, type Role } from "../base/role.ts";
import { decodeCassette } from "../engines/cassette.ts";
import type { EngineSetting } from "../fs-protocol/session-json.ts";
import { findExecutable } from "../host/find-executable.ts";
import type { Config } from "../settings/config-schema.ts";
import { chooseEngines, type EngineChoice, type KnownEngine } from "../settings/engine-choice.ts";
import { wispArgv, type Cli } from "./cli.ts";
import type { CassetteTrouble, EnginesFailure } from "./engine-failures.ts";

/** What the engine `replay` plays. */
export function cassettePath(repository: string): string {
  return join(repository, ".wisp", "cassette.yaml");
}

/** Engines that have an adapter of their own, in the order in which they are preferred. */
const KNOWN_ENGINES: readonly KnownEngine[] = [{ name: "replay", executable: undefined }];

/** The engine of each role as its session freezes it: chosen, there, and with its whole command line. */
export function sessionEngines(
  cli: Pick<Cli, "host" | "env" | "nodePath" | "entry">,
  repository: string,
  config: Config,
): Result<Readonly<Record<Role, EngineSetting>>, EnginesFailure> {
  const place = { cwd: repository, env: cli.env };
  const chosen = chooseEngines(config, {
    known: KNOWN_ENGINES,
    hasExecutable: (executable) => findExecutable(executable, place) !== undefined,
  });
  if (!chosen.ok) return chosen;
  const playsCassette = ROLES.some((role) => chosen.value[role].kind === "known");
  const cassette = playsCassette ? checkCassette(cli, cassettePath(repository)) : ok(undefined);
  if (!cassette.ok) return cassette;
  const settingOf = (role: Role) =>
    frozen(cli, repository, { choice: chosen.value[role], ms: config.roles[role].timeout });
  return ok({
    planner: settingOf("planner"),
    builder: settingOf("builder"),
    reviewer: settingOf("reviewer"),
    tester: settingOf("tester"),
  });
}

function frozen(
  cli: Pick<Cli, "nodePath" | "entry">,
  repository: string,
  { choice, ms: turnTimeoutMs }: { readonly choice: EngineChoice; readonly ms: number },
): EngineSetting {
  if (choice.kind === "known") {
    const argv = wispArgv(cli, "replay-turn", cassettePath(repository));
    return { name: choice.name, argv, turnTimeoutMs };
  }
  const [executable, ...rest] = choice.argv;
  // A turn runs in a clone: a path that was meant from the repository would lead elsewhere there.
  const isPath = executable.includes("/") && !isAbsolute(executable);
  const argv = [isPath ? resolve(repository, executable) : executable, ...rest];
  return { name: "command", argv, turnTimeoutMs };
}

function checkCassette(
  { host }: Pick<Cli, "host">,
  path: string,
): Result<void, CassetteTrouble | FileFailure> {
  const read = host.files.read(path);
  if (!read.ok) return read;
  if (read.value === undefined) return fail({ kind: "cassette-missing", path });
  const decoded = decodeCassette(Buffer.from(read.value).toString("utf8"));
  return decoded.ok ? ok(undefined) : fail({ ...decoded.failure, path });
}
