import type { NotifyCommand } from "../../agents/supervisor/announcer.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { findExecutable } from "../../host/processes/find-executable.ts";
import type { Cli } from "../../terminal/cli.ts";

/** The title that a desktop shows above the text; what follows is never an option. */
const DESKTOP = ["notify-send", "--app-name=wisp", "--", "wisp"] as const;

/**
 * How a person is told of a question: by the command of the settings; where these say nothing, on a desktop
 * that can be reached; else not at all.
 */
export function notifyCommand(
  { env, cwd }: Pick<Cli, "env" | "cwd">,
  { notify }: Pick<SessionJson, "notify">,
): NotifyCommand | undefined {
  if (notify !== undefined) {
    const [executable, ...rest] = notify;
    return executable === undefined ? undefined : { argv: [executable, ...rest], env };
  }
  const hasDesktop = [env["DISPLAY"], env["WAYLAND_DISPLAY"]].some(
    (display) => display !== undefined && display !== "",
  );
  if (!hasDesktop || findExecutable(DESKTOP[0], { env, cwd }) === undefined) {
    return undefined;
  }
  return { argv: [...DESKTOP], env, isMarkup: true };
}
