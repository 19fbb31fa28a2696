import { execFile } from "node:child_process";
import { findExecutable } from "./find-executable.ts";

/** Longer than the probe ever takes. */
const PROBE_MS_MAX = 5_000;

/**
 * The first process of a namespace. It waits for the command, so that TERM reaches the command like any other
 * process (the first process of a namespace ignores signals without a handler), and passes on how it ended.
 */
const INIT = ["/bin/sh", "-c", '"$@"; exit $?', "init"] as const;

let found: Promise<readonly string[] | undefined> | undefined;

/**
 * The words to put before a command so that it runs in its own pid namespace, which ends with it, along with
 * whatever it started, however well hidden. `undefined` if the system does not allow this. Probed once.
 */
export function pidNamespace(): Promise<readonly string[] | undefined> {
  return (found ??= find());
}

async function find(): Promise<readonly string[] | undefined> {
  if (process.platform !== "linux") return undefined;
  const place = { cwd: "/", env: { PATH: "/usr/bin:/bin:/usr/local/bin" } };
  const unshare = findExecutable("unshare", place);
  if (unshare === undefined) return undefined;
  const options = ["--pid", "--fork", "--kill-child", "--mount-proc"];
  // A user who may not create one directly creates it inside a user namespace, and keeps the same user id.
  const asOwner = ["--user", "--map-current-user", ...options];
  const flags = process.getuid?.() === 0 ? options : asOwner;
  const words = [...flags, "--", ...INIT];
  // execa is avoided: every role probes before its first turn, and loading it costs 22 ms and 10 MB.
  const limits = { timeout: PROBE_MS_MAX, killSignal: "SIGKILL" } as const;
  return new Promise((resolve) => {
    execFile(unshare, [...words, "true"], { ...place, ...limits }, (error) =>
      resolve(error === null ? [unshare, ...words] : undefined),
    );
  });
}
