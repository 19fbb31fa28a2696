import { dirname } from "node:path";
import { homedir } from "node:os";
import { CONFIG_CLIENT_BYTES_MAX } from "../base/limits.ts";
import { fail, ok } from "../base/result.ts";
import { findExecutable } from "../host/find-executable.ts";
import { realPath } from "../host/node-links.ts";
import { wispArgv, type Cli, type Outcome } from "./cli.ts";
import { confirm } from "./confirm.ts";
import { EXIT } from "./exit-codes.ts";
import { MCP_CLIENTS, type ClientPlaces, type McpClient } from "./mcp-clients.ts";
import { workTreeAround } from "./sessions.ts";
import { shellWord } from "./shell-word.ts";

export interface InstallOptions {
  /** Undefined: all of them are shown, and nothing is written. */
  readonly client: McpClient | undefined;
  /** Confirmed in advance. */
  readonly yes: boolean;
  readonly dryRun: boolean;
}

/**
 * `wisp mcp install`: shows what a client has to be told, or tells it, after asking. What else stands in the
 * client's file stays; where that cannot be seen to, nothing is written.
 */
export async function installMcp(cli: Cli, options: InstallOptions): Promise<Outcome> {
  const { client, dryRun } = options;
  const repository = workTreeAround(cli.host.files, cli.cwd);
  if (repository === undefined) return fail({ kind: "not-a-repository", directory: cli.cwd });
  const places = {
    repository,
    home: cli.env["HOME"] ?? homedir(),
    codexHome: cli.env["CODEX_HOME"],
  };
  if (client === undefined) return showAll(cli, places);
  const path = MCP_CLIENTS[client].path(places);
  // A link to where the user keeps it stays a link.
  const target = realPath(path) ?? path;
  const read = cli.host.files.read(target, CONFIG_CLIENT_BYTES_MAX);
  if (!read.ok) return read;
  const before = read.value === undefined ? undefined : Buffer.from(read.value).toString("utf8");
  const merged = MCP_CLIENTS[client].merge(before, command(cli));
  if (!merged.ok) {
    const why =
      merged.failure === "taken" ? "has another server named wisp" : "is not what wisp can read";
    show(cli, places, client);
    return fail({ kind: "usage", problem: `${path} ${why}; it was left as it is` });
  }
  if (merged.value === before) {
    cli.terminal.err(`${path} has it already.`);
    return ok(EXIT.ok);
  }
  show(cli, places, client);
  if (dryRun) {
    cli.terminal.err("Nothing was written.");
    return ok(EXIT.ok);
  }
  return write(cli, { path, target, text: merged.value, client }, options);
}

interface Writing {
  readonly path: string;
  readonly target: string;
  readonly text: string;
  readonly client: McpClient;
}

async function write(
  cli: Cli,
  { path, target, text, client }: Writing,
  { yes }: InstallOptions,
): Promise<Outcome> {
  const sure = await confirm(cli, {
    isSure: yes,
    question: `Write it into ${path}? What else stands there stays. [y/N] `,
    command: `wisp mcp install --client ${client} --yes`,
    why: `It would write into ${path}, and nobody is there to confirm it.`,
  });
  if (!sure.ok) return sure;
  const { files } = cli.host;
  const made = files.makeDirectory(dirname(target));
  if (!made.ok) return made;
  const written = files.replace(target, Buffer.from(text));
  if (!written.ok) return written;
  cli.terminal.err(`Written into ${path}.`);
  return ok(EXIT.ok);
}

function showAll(cli: Cli, places: ClientPlaces): Outcome {
  for (const client of ["claude", "codex", "copilot", "gemini", "opencode"] as const) {
    show(cli, places, client);
  }
  cli.terminal.err("To have one of them written: wisp mcp install --client claude");
  return ok(EXIT.ok);
}

/** What would stand in a file that has nothing else. */
function show(cli: Cli, places: ClientPlaces, client: McpClient): void {
  const { path, merge } = MCP_CLIENTS[client];
  const alone = merge(undefined, command(cli));
  cli.terminal.out(`# ${client}: ${shellWord(path(places))}\n${alone.ok ? alone.value : ""}`);
}

/** By its name where it is on the PATH: then the file may be shared. */
function command(cli: Cli): readonly [string, ...string[]] {
  return findExecutable("wisp", cli) === undefined ? wispArgv(cli, "mcp") : ["wisp", "mcp"];
}
