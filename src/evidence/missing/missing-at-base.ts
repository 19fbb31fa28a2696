import { NO_PROJECT_FACTS } from "../../base/ports/project-facts.ts";
import type { Oid } from "../../base/oid.ts";
import type { Tally } from "../../fs-protocol/records/tally.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { redOutput } from "../verify/red-output.ts";
import { findMissing } from "./find-missing.ts";
import type { Missing } from "./missing.ts";
import { missingInRun } from "./run-hints.ts";
import { isSearched } from "./searched-files.ts";

/** A base at which verify was red. */
export interface RedLook {
  readonly at: Oid;
  /** Name of its output below `logs/turns`, without the extension; undefined if there is none. */
  readonly output: string | undefined;
  readonly failing: readonly string[] | undefined;
  readonly tally: Tally | undefined;
}

/**
 * What is missing at a red base and how to mend it: first what the output names, then what the commit itself lacks, each
 * once. Hints for the words of a question: they never decide anything. Where git cannot tell, the output alone speaks.
 */
export async function missingAtBase(
  context: RoleContext,
  { at, output, failing, tally }: RedLook,
): Promise<readonly Missing[]> {
  const { hub, session } = context;
  const read = await hub.project?.(at, isSearched);
  const facts = read?.ok === true ? read.value : NO_PROJECT_FACTS;
  const { text, names } = redOutput(context, { output, failing });
  const commands = { setup: session.setup, build: session.build ?? [], verify: session.verify };
  const inRun = missingInRun({ text, names, passed: tally?.passed }, facts, commands);
  const said = new Set(inRun.map(({ kind }) => kind));
  return [...inRun, ...findMissing(facts, commands, session).filter(({ kind }) => !said.has(kind))];
}
