import type { Cli } from "../../terminal/cli.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/** Has the files of a session that runs elsewhere follow those there, before they are shown. */
export async function followed(cli: Cli, found: FoundSession): Promise<void> {
  // Loaded only for such sessions: what shows others starts without it.
  const { keepFollowed } = await import("../../actions/elsewhere/keep-followed.ts");
  await keepFollowed(cli, found);
}
