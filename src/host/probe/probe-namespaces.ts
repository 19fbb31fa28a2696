import { readFileSync } from "node:fs";
import { attempt } from "../system/errno.ts";

/** Whether an ordinary user may make user namespaces, and which setting of the kernel says no. */
export type Namespaces =
  | { readonly kind: "allowed" }
  | { readonly kind: "refused"; readonly setting: string; readonly value: string }
  /** Not Linux. */
  | { readonly kind: "unknown" };

/** Settings by which they are refused, and the value that does it. */
const REFUSALS = [
  { setting: "user.max_user_namespaces", value: "0" },
  { setting: "kernel.unprivileged_userns_clone", value: "0" },
  { setting: "kernel.apparmor_restrict_unprivileged_userns", value: "1" },
] as const;

/** Reads it from the kernel's settings; nothing is tried. */
export function probeNamespaces(): Namespaces {
  if (process.platform !== "linux") return { kind: "unknown" };
  const refusal = REFUSALS.find(({ setting, value }) => readSetting(setting) === value);
  return refusal === undefined ? { kind: "allowed" } : { kind: "refused", ...refusal };
}

/** A setting of the kernel, such as `fs.inotify.max_user_watches`; undefined where there is none. */
export function readSetting(name: string): string | undefined {
  const path = `/proc/sys/${name.replaceAll(".", "/")}`;
  const read = attempt(() => readFileSync(path, "utf8").trim());
  return read.ok ? read.value : undefined;
}
