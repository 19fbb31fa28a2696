import { readFileSync } from "node:fs";
import { attempt } from "../system/errno.ts";

/** Whether an ordinary user may create user namespaces; if not, the kernel setting that forbids it. */
export type Namespaces =
  | { readonly kind: "allowed" }
  | { readonly kind: "refused"; readonly setting: string; readonly value: string }
  /** Not Linux. */
  | { readonly kind: "unknown" };

/** Kernel settings that forbid user namespaces, with the value that does. */
const REFUSALS = [
  { setting: "user.max_user_namespaces", value: "0" },
  { setting: "kernel.unprivileged_userns_clone", value: "0" },
  { setting: "kernel.apparmor_restrict_unprivileged_userns", value: "1" },
] as const;

/** Reads the kernel's settings; does not try to create a namespace. */
export function probeNamespaces(): Namespaces {
  if (process.platform !== "linux") return { kind: "unknown" };
  const refusal = REFUSALS.find(({ setting, value }) => readSetting(setting) === value);
  return refusal === undefined ? { kind: "allowed" } : { kind: "refused", ...refusal };
}

/** A kernel setting, such as `fs.inotify.max_user_watches`; `undefined` if it does not exist. */
export function readSetting(name: string): string | undefined {
  const path = `/proc/sys/${name.replaceAll(".", "/")}`;
  const read = attempt(() => readFileSync(path, "utf8").trim());
  return read.ok ? read.value : undefined;
}
