import { shown } from "../../base/words/shown.ts";
import { type Role, ROLES } from "../../base/role.ts";
import { acpProfile } from "../../engines/acp/acp.ts";
import { mayEdit } from "../../engines/cli-profile.ts";
import { codingCli } from "../../engines/coding-clis.ts";
import type { EngineSetting } from "../../fs-protocol/home/session-json.ts";
import { fine, type Check } from "./doctor-check.ts";

/** One check for each role: what its engine and its fallbacks may do without asking. */
export function permissionChecks(engines: Readonly<Record<Role, EngineSetting>>): readonly Check[] {
  return ROLES.map((role) => {
    const { name, argv, fallbacks = [] } = engines[role];
    const all = [{ name, argv }, ...fallbacks];
    const words = all.map((engine) => wordsFor(role, engine)).join("; else ");
    return fine(`permissions.${role}`, `the ${role} may, by its engine: ${words}`);
  });
}

function wordsFor(role: Role, { name, argv }: Pick<EngineSetting, "name" | "argv">): string {
  const [executable = "", ...rest] = argv;
  const profile =
    name === "acp" ? acpProfile({ turnArgs: [], agent: [executable] }) : codingCli(name);
  if (profile === undefined) return `${shown(name)}: whatever the program grants itself`;
  const { edits, reads } = profile.permissions;
  const least = `${profile.name}: ${mayEdit({ role }) ? edits : reads}`;
  // Arguments may grant more, and their author should see that. Those of an ACP agent belong to the
  // agent.
  const isOurs = name !== "acp" && rest.length > 0;
  return isOurs ? `${least}, and what ${shown(rest.join(" "))} grants` : least;
}
