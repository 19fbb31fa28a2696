import { dirname } from "node:path";
import { Usage } from "../../workspace/usage.ts";
import { NotARepository } from "../../git/repository/repository.ts";
import { needHomeFolder } from "../../workspace/home-folder.ts";
import { EXIT } from "../../base/exit-code.ts";
import { present } from "../../base/assert.ts";
import { CONFIG_CLIENT_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok } from "../../base/result.ts";
import { CODING_CLI_NAMES, codingCli } from "../../engines/coding-clis.ts";
import { addServer, type AddRefusal } from "../../engines/mcp/add-server.ts";
import type { ClientPlaces, McpClient } from "../../engines/mcp/mcp-client.ts";
import { findExecutable } from "../../host/processes/find-executable.ts";
import { realPath } from "../../host/files/node-links.ts";
import { wispArgv } from "../../workspace/world.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { confirm } from "../../actions/confirm.ts";
import { workTreeAround } from "../../workspace/sessions.ts";
import { shellWord } from "../../base/words/shell-word.ts";

export interface InstallOptions {
  /** Undefined to show all clients and write nothing. */
  readonly client: string | undefined;
  /** Confirmed in advance. */
  readonly yes: boolean;
  readonly dryRun: boolean;
}

/**
 * `wisp mcp install`: shows the configuration a client needs, or writes it after asking. Everything else in the
 * client's file stays; where that cannot be guaranteed, nothing is written.
 */
export async function installMcp(cli: Cli, options: InstallOptions): Promise<Outcome> {
  const { client, dryRun } = options;
  const repository = workTreeAround(cli.host.files, cli.cwd);
  if (repository === undefined) return fail(NotARepository({ directory: cli.cwd }));
  const places = {
    repository,
    home: cli.env["HOME"] ?? needHomeFolder(),
    env: cli.env,
  };
  if (client === undefined) return showAll(cli, places);
  const settings = clientOf(client);
  const path = settings.path(places);
  // A symbolic link to the user's file stays a link.
  const target = realPath(path) ?? path;
  const read = cli.host.files.read(target, CONFIG_CLIENT_BYTES_MAX);
  if (!read.ok) return read;
  const before = read.value === undefined ? undefined : Buffer.from(read.value).toString("utf8");
  const merged = addServer(settings, before, command(cli));
  if (!merged.ok) {
    show(cli, places, client);
    return fail(Usage({ problem: `${path} ${WHY[merged.failure]}; the file was left unchanged` }));
  }
  if (merged.value === before) {
    cli.terminal.err(`${path} already has it.`);
    return ok(EXIT.ok);
  }
  show(cli, places, client);
  if (dryRun) {
    cli.terminal.err("Nothing was written.");
    return ok(EXIT.ok);
  }
  return write(cli, { path, target, text: merged.value, client }, options);
}

const WHY: Readonly<Record<AddRefusal, string>> = {
  taken: "has another server named wisp",
  unreadable: "cannot be parsed by wisp",
  inline: "has its servers in an inline table, which cannot be extended",
};

interface Writing {
  readonly path: string;
  readonly target: string;
  readonly text: string;
  readonly client: string;
}

async function write(
  cli: Cli,
  { path, target, text, client }: Writing,
  { yes }: InstallOptions,
): Promise<Outcome> {
  const sure = await confirm(cli, {
    isSure: yes,
    question: `Write it to ${path}? The rest of the file stays. [y/N] `,
    command: `wisp mcp install ${client} --yes`,
    why: `This would write to ${path}, and there is nobody to confirm it.`,
  });
  if (!sure.ok) return sure;
  const { files } = cli.host;
  const made = files.makeDirectory(dirname(target));
  if (!made.ok) return made;
  const written = files.replace(target, Buffer.from(text));
  if (!written.ok) return written;
  cli.terminal.err(`Wrote ${path}.`);
  return ok(EXIT.ok);
}

function showAll(cli: Cli, places: ClientPlaces): Outcome {
  for (const client of CODING_CLI_NAMES) show(cli, places, client);
  const [example = ""] = CODING_CLI_NAMES;
  cli.terminal.err(`To write one of them: wisp mcp install ${example}`);
  return ok(EXIT.ok);
}

/** The contents of a file that has nothing else. */
function show(cli: Cli, places: ClientPlaces, client: string): void {
  const settings = clientOf(client);
  const alone = addServer(settings, undefined, command(cli));
  const path = shellWord(settings.path(places));
  cli.terminal.out(`# ${client}: ${path}\n${alone.ok ? alone.value : ""}`);
}

function clientOf(name: string): McpClient {
  return present(codingCli(name), "the command line accepts no other name").mcpClient;
}

/** By name where it is on the PATH, so that the file can be shared. */
function command(cli: Cli): readonly [string, ...string[]] {
  return findExecutable("wisp", cli) === undefined ? wispArgv(cli, "mcp") : ["wisp", "mcp"];
}
