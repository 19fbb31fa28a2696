import type { NotifyCommand } from "../../agents/supervisor/announcer.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { findExecutable } from "../../host/processes/find-executable.ts";
import type { Cli } from "../../terminal/cli.ts";

/** The title that a desktop shows above the text; `--` ends the options. */
const DESKTOP = ["notify-send", "--app-name=wisp", "--", "wisp"] as const;

/**
 * How a person is notified of a question: by the command in the settings; without one, on a desktop
 * that can be reached; otherwise not at all.
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
