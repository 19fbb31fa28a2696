import { expect, onTestFinished } from "vitest";
import type { Executor, FarCommand, Place } from "../../src/base/ports/executor.ts";
import { sshExecutor } from "../../src/executors/ssh/ssh-executor.ts";
import type { SshOptions } from "../../src/executors/ssh/ssh-options.ts";
import { must } from "./contract.ts";
import { executorHost } from "./executor-host.ts";
import { SshdHost, type SshdWishes } from "./sshd.ts";

/** Hosts that are closed when the test that opened them ends. */
export function sshHosts() {
  const openHost = async (wishes?: SshdWishes): Promise<SshdHost> => {
    const far = await SshdHost.open(wishes);
    onTestFinished(() => far.close());
    return far;
  };
  /** A host, an executor for it, and a place there. */
  const openPlace = async (wishes?: SshdWishes) => {
    const far = await openHost(wishes);
    const executor = executorAt(far);
    return { far, executor, place: must(await executor.create({ key: "place" })) };
  };
  return { openHost, openPlace };
}

/** The executor for a host. */
export function executorAt(far: SshdHost, more?: Partial<SshOptions>): Executor {
  return sshExecutor(executorHost(), far.options(more));
}

/** What a command prints that must succeed. */
export async function printed(
  executor: Executor,
  place: Place,
  command: FarCommand,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  const onStdout = (bytes: Uint8Array) => void chunks.push(bytes);
  const end = must(await executor.exec(place, command, { onStdout, timeoutMs: 60_000 }));
  expect(end).toMatchObject({ kind: "exited", exitCode: 0 });
  return Buffer.concat(chunks).toString();
}
