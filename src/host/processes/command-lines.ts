import { readdirSync, readFileSync } from "node:fs";
import { attempt } from "../system/errno.ts";

/** The command lines of all processes of this machine that can be seen; none where there is no `/proc`. */
export function commandLines(): readonly string[] {
  const names = attempt(() => readdirSync("/proc"));
  const pids = names.ok ? names.value.filter((name) => /^\d+$/u.test(name)) : [];
  return pids.flatMap((pid) => {
    // It may just have ended.
    const read = attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
    return read.ok ? [read.value] : [];
  });
}
