import { brokenServerWords } from "../../engines/events/call-words.ts";
import type { TurnRecord } from "../../engines/engine.ts";
import { clip } from "../clip.ts";
import type { TurnContext } from "./turn.ts";

/** What each process of a role has noted already: a server that does not start fails in every turn. */
const noted = new WeakMap<TurnContext["journal"], Set<string>>();

/** Notes MCP servers of the session that an engine could not start, each once in the life of the role's process. */
export function noteBrokenServers(
  { journal }: Pick<TurnContext, "journal">,
  engine: string,
  { brokenServers = [] }: Pick<TurnRecord, "brokenServers">,
): void {
  const before = noted.get(journal) ?? new Set();
  noted.set(journal, before);
  for (const server of brokenServers) {
    const key = JSON.stringify([engine, server.name]);
    if (before.has(key)) continue;
    before.add(key);
    const text = clip(`${engine}: ${brokenServerWords(server)}, so its tools are missing`);
    journal.append({ kind: "note", time: journal.time(), text });
  }
}
