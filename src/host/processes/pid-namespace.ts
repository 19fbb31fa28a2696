import { execFile } from "node:child_process";
import { findExecutable } from "./find-executable.ts";

/** Longer than any answer takes. */
const PROBE_MS_MAX = 5_000;

/**
 * The first process of a namespace: waits for the command, so that TERM reaches that as it would any other
 * process (the first one of a namespace ignores what it has no handler for), and hands on how it ended.
 */
const INIT = ["/bin/sh", "-c", '"$@"; exit $?', "init"] as const;

let found: Promise<readonly string[] | undefined> | undefined;

/**
 * What has to stand before a command so that it runs in a pid namespace of its own, which ends with it: with
 * whatever it started, however that hides. Undefined where the system gives none. Asked once.
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
  // Whoever may not make one makes it as the owner of a user namespace, as whom it stays who it is.
  const asOwner = ["--user", "--map-current-user", ...options];
  const flags = process.getuid?.() === 0 ? options : asOwner;
  const words = [...flags, "--", ...INIT];
  // Not by execa: every role asks before its first turn, and loading it costs 22 ms and 10 MB.
  const limits = { timeout: PROBE_MS_MAX, killSignal: "SIGKILL" } as const;
  return new Promise((resolve) => {
    execFile(unshare, [...words, "true"], { ...place, ...limits }, (error) =>
      resolve(error === null ? [unshare, ...words] : undefined),
    );
  });
}
