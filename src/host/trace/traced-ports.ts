import { basename } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import type { Locks } from "../../base/ports/locks.ts";
import type { Processes, RunEnd } from "../../base/ports/processes.ts";
import { TRACE_VARIABLE, tracing, type SpanFacts, type SpanOf } from "../../base/ports/trace.ts";
import type { Result } from "../../base/result.ts";
import type { PortTracing } from "../host.ts";

/** Gives ports a span for each operation that takes time. `path`: the absolute path of the trace. */
export function tracedPorts(path: string): PortTracing {
  return { files: tracedFiles, locks: tracedLocks, processes: (all) => tracedProcesses(all, path) };
}

/** What is made durable; reads are not traced. */
function tracedFiles(files: Files): Files {
  return {
    ...files,
    append(path, bytes) {
      const of = named("append", path, { bytes: bytes.length });
      return spanOf(of, () => files.append(path, bytes));
    },
    replace(path, bytes, beforePlaced) {
      const of = named("write", path, { bytes: bytes.length });
      return spanOf(of, () => files.replace(path, bytes, beforePlaced));
    },
    create(path, bytes) {
      const of = named("write", path, { bytes: bytes.length });
      return spanOf(of, () => files.create(path, bytes));
    },
  };
}

function tracedLocks(locks: Locks): Locks {
  return {
    ...locks,
    takeLease: (path) => spanOf(named("lock", path), () => locks.takeLease(path)),
    withLock: (path, critical) => spanOf(named("lock", path), () => locks.withLock(path, critical)),
  };
}

/**
 * Runs are shown by the name of the program. Only other processes of wisp learn where the trace is: no engine and
 * no command of the project.
 */
function tracedProcesses(processes: Processes, path: string): Processes {
  return {
    ...processes,
    run: (options) => spanOf(named("run", options.argv[0]), () => processes.run(options), runFacts),
    daemon(command) {
      const env = { ...command.env, [TRACE_VARIABLE]: path };
      return spanOf(SPAWN, () => processes.daemon({ ...command, env }));
    },
  };
}

const SPAWN: SpanOf = { category: "run", name: "start a process of wisp" };

function named(category: SpanOf["category"], path: string, facts?: SpanFacts): SpanOf {
  return { category, name: basename(path), facts };
}

function spanOf<T>(of: SpanOf, work: () => T, describe?: (result: Awaited<T>) => SpanFacts): T {
  const trace = tracing();
  return trace === undefined ? work() : trace.span(of, work, describe);
}

function runFacts(ran: Result<RunEnd, unknown>): SpanFacts {
  if (!ran.ok) return { outcome: "not started" };
  const { value } = ran;
  const exitCode = value.kind === "exited" ? value.exitCode : undefined;
  return { outcome: value.kind, exitCode };
}
