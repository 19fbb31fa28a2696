import type { Command } from "commander";
import { relative } from "node:path";
import { EXIT } from "../../base/exit-code.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { ok } from "../../base/result.ts";
import { LOG_NAMES, ROLES } from "../../base/role.ts";
import { CODING_CLI_NAMES } from "../../engines/coding-clis.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { listSessions, sessionsDirectory, workTreeAround } from "../../workspace/sessions.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { completionsOf, type CompletedNames } from "../completion/completions.ts";
import { readUserSettings } from "../../workspace/settings/user-settings.ts";
import { HELP_GROUPS } from "../help/help-groups.ts";
import { TOPIC_NAMES } from "../help.ts";

/** Words that a shell inserts as they are; others are not offered. */
const PLAIN_WORD = /^[\w./-]{1,200}$/u;
/** How many sessions are searched for findings, newest first. */
const SEARCHED_SESSIONS_MAX = 5;

/**
 * `wisp complete -- <words>`: what can complete a command line, one word per line with a tab and a description. A
 * person who types is never disturbed by it: whatever is wrong, it prints less and succeeds.
 */
export function complete(
  cli: Cli,
  { program, words }: { readonly program: Command; readonly words: readonly string[] },
): Outcome {
  const found = completionsOf(program, words, thingsOf(cli));
  const plain = found.filter(({ word }) => PLAIN_WORD.test(word));
  const lines = plain.map(({ word, about }) => (about === "" ? word : `${word}\t${about}`));
  if (lines.length > 0) cli.terminal.out(lines.join("\n"));
  return ok(EXIT.ok);
}

function thingsOf(cli: Cli): CompletedNames {
  const commands = HELP_GROUPS.flatMap(({ names }) => names);
  return {
    sessions: () => homesOf(cli).map(({ name }) => name),
    findings: () =>
      homesOf(cli)
        .slice(0, SEARCHED_SESSIONS_MAX)
        .flatMap(({ home }) => idsIn(cli, home)),
    executors: () => [...namedExecutors(cli), ...WHOLE_EXECUTORS],
    engines: () => CODING_CLI_NAMES,
    roles: ROLES,
    logs: LOG_NAMES,
    topics: [...commands, ...TOPIC_NAMES],
  };
}

/** Kinds of executors that need no more than their name, and this machine. */
const WHOLE_EXECUTORS = ["here", "local", "slurm", "sprites"];

/** The executors of the person's own settings; none where those cannot be read. */
function namedExecutors({ host: { files }, env }: Cli): readonly string[] {
  const settings = readUserSettings(files, env);
  return settings.ok ? Object.keys(settings.value.executors) : [];
}

interface NamedHome {
  readonly name: string;
  readonly home: Home;
}

/** The sessions of the repository, newest first; none where there is no repository or it cannot be read. */
function homesOf({ host: { files }, cwd }: Cli): readonly NamedHome[] {
  const repository = workTreeAround(files, cwd);
  const listed = repository === undefined ? undefined : listSessions(files, repository);
  if (repository === undefined || listed?.ok !== true) return [];
  const top = sessionsDirectory(repository);
  const timed = listed.value.map((home) => {
    const changedMs = files.stat(home.sessionJson)?.changedMs ?? 0;
    return { name: relative(top, home.directory), home, changedMs };
  });
  return timed.sort((one, other) => other.changedMs - one.changedMs);
}

/** Ids at the beginning of words, such as `COR-7f3a91`. */
function idsIn({ host: { files } }: Cli, home: Home): readonly string[] {
  const texts = [home.reviews, home.bugs].map((path) => {
    const read = files.read(path, DOCUMENT_BYTES_MAX);
    return read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
  });
  return texts.flatMap((text) => text.match(/\b[A-Z]{3}-[0-9a-f]{6}\b/gu) ?? []);
}
