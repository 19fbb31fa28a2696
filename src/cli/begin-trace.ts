import { resolve } from "node:path";
import { DAEMON_MARK_VARIABLE } from "../base/ports/processes.ts";
import { TRACE_VARIABLE } from "../base/ports/trace.ts";
import { ok, type Result } from "../base/result.ts";
import type { PortTracing } from "../host/host.ts";
import type { TraceFailure } from "../host/trace/open-trace.ts";

/** What decides whether this process is traced. */
export interface TraceRequest {
  /** The file that the person named on the command line. */
  readonly given: string | undefined;
  /** The words after `wisp` on the command line. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly tell: (text: string) => void;
}

/**
 * Begins the trace that a person asked for, by an option or by the variable, and removes the variable from the
 * environment: engines and the project's commands must not see it. Fails if the file cannot be traced to, except in a
 * process that wisp itself started, which has work to do.
 */
export async function beginTrace(
  environment: Record<string, string | undefined>,
  { given, words, cwd, tell }: TraceRequest,
): Promise<Result<PortTracing | undefined, TraceFailure>> {
  const named = given ?? (environment[TRACE_VARIABLE] || undefined);
  Reflect.deleteProperty(environment, TRACE_VARIABLE);
  if (named === undefined) return ok(undefined);
  // Loaded only now: hardly any process is traced.
  const { openTrace } = await import("../host/trace/open-trace.ts");
  const opened = openTrace({ path: resolve(cwd, named), words, tell });
  if (opened.ok || environment[DAEMON_MARK_VARIABLE] === undefined) return opened;
  tell(`wisp: ${opened.failure.words()[0]}`);
  return ok(undefined);
}
