import { shown } from "../../base/words/shown.ts";
import { codingCli } from "../../engines/coding-clis.ts";
import type { LoginState } from "../../engines/login-state.ts";

/** What a person has to know of the logins of engines: those that are missing, and those that nobody could ask for. */
export function loginLines(
  logins: Readonly<Record<string, LoginState>>,
  where = "",
): readonly string[] {
  return Object.entries(logins).flatMap(([name, state]) => {
    if (state === "yes") return [];
    const engine = `${shown(name)}${where}`;
    return state === "no"
      ? [`${engine} is not logged in: ${howToLogIn(name)}`]
      : [`Whether ${engine} is logged in is not known: only a turn shows it.`];
  });
}

/** How a person logs in to a coding CLI, by its name. */
export function howToLogIn(name: string): string {
  return codingCli(name)?.login ?? "log in with its own command";
}
