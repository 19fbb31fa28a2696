import { dirname, join } from "node:path";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";

/** No session is looked for under a name that begins with a dot. */
const PREFIX = ".gone-";

type Named = Pick<SessionJson, "id" | "createdAt">;

/** The name of what is moved aside to be removed; both parts of a session have the same, which no other session has. */
export function asideName({ id, createdAt }: Named): string {
  return `${PREFIX}${id}-${createdAt.replace(/[:.]/gu, "-")}`;
}

/** Whether a name is one of these. */
export function isAsideName(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** Where a home is moved before it is removed: from then on it is no session's. */
export function homeAside({ directory }: Pick<Home, "directory">, session: Named): string {
  return join(dirname(directory), asideName(session));
}

/** Where a session's folder in the state directory is moved before it is removed. */
export function stateAside(session: Named & Pick<SessionJson, "state">): string {
  return join(dirname(session.state), asideName(session));
}
