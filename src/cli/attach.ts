import type { Cli, Outcome } from "./cli.ts";
import type { Role } from "../base/role.ts";
import type { FoundSession } from "./sessions.ts";
import { ok } from "../base/result.ts";
export async function attachRole(_cli: Cli, _found: FoundSession, _role: Role): Promise<Outcome> {
  return ok(0);
}
