import { join } from "node:path";
import type { RoleContext } from "../../work/role-context.ts";
import { cleanedTail } from "../../work/run-in-order.ts";

/** The end of a verify run's output, for a prompt or a person. */
export function outputTail(
  { home, ports }: Pick<RoleContext, "home" | "ports">,
  output: string | undefined,
): string {
  return output === undefined ? "" : cleanedTail(ports.files, join(home.turns, `${output}.out`));
}
