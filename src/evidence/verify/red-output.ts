import { join } from "node:path";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { readTail } from "../../work/run-in-order.ts";
import { tailFile } from "../../work/turn/turn-files.ts";
import type { TurnFile } from "../../work/turn/turn-folder.ts";
import { treesDirectory } from "../verify-tree/tree-place.ts";
import { failingTests, withoutTree } from "./failing-tests.ts";
import type { RedOutput } from "./failure-report.ts";

/** How much of the end of an output is searched for its first failure. */
const SEARCHED_CHARS_MAX = 1024 * 1024;

type Place = Pick<RoleContext, "home" | "ports" | "session">;

/** A red run of the project's commands, as its record has it. */
export interface RedResult {
  /** Name of its output below `logs/turns`, without the extension. */
  readonly output?: string | undefined;
  /** Undefined if that is not known: then they are read from the output. */
  readonly failing?: readonly string[] | undefined;
}

/**
 * Reads the output of a red run. Paths in the verify trees become paths in the repository.
 *
 * @param known tests that were red before: they are not named unless nothing else fails
 */
export function redOutput(
  { home, ports, session }: Place,
  { output, failing }: RedResult,
  known: readonly string[] = [],
): RedOutput {
  if (output === undefined) return { text: "", isWhole: true, names: failing ?? [], output };
  const read = readTail(ports.files, join(home.turns, `${output}.out`), SEARCHED_CHARS_MAX);
  const text = inRepository(session, read.text);
  const printed = { output: read.text, isCut: !read.isWhole, trees: treesDirectory(session) };
  const all = failing ?? failingTests(printed).failing ?? [];
  const names = all.map((name) => inRepository(session, name));
  return { text, isWhole: read.isWhole, names: newNames(session, names, known), output };
}

function newNames(
  session: SessionJson,
  names: readonly string[],
  known: readonly string[],
): readonly string[] {
  const old = new Set(known.map((name) => inRepository(session, name)));
  const fresh = names.filter((name) => !old.has(name));
  return fresh.length === 0 ? names : fresh;
}

/** A person and an engine know the files by their paths in the repository, not by those of a tree. */
function inRepository(session: SessionJson, text: string): string {
  return withoutTree(text, treesDirectory(session));
}

/** Name of the file with the output of verify in the folder of a turn. */
export const VERIFY_FILE = "verify.out";

/** The output of a red verify as a file for a turn: its engine may not see where wisp keeps it. */
export function redFile({ home, ports }: Place, output: string): TurnFile {
  const path = join(home.turns, `${output}.out`);
  return tailFile(ports.files, path, { name: VERIFY_FILE, says: "what the red verify printed" });
}
