import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import { codingCli } from "../../engines/coding-clis.ts";
import { howToLogIn } from "../settings/login-lines.ts";

interface LoginMissing {
  readonly executor: string;
  readonly engine: string;
  /** Whether the person's own settings describe the executor, under its name. */
  readonly isNamed: boolean;
}

/** A session would use an engine that is not logged in at its place. */
export const NotLoggedInThere = refusal(
  "not-logged-in-there",
  EXIT.usage,
  ({ executor, engine, isNamed }: LoginMissing) => [
    `${shown(engine)} is installed on ${shown(executor)}, but not logged in there. A login is never copied. Nothing was started.`,
    "Log in there, or name in your own settings (~/.config/wisp/config.yaml) the variable here that holds a key, which " +
      "is then sent there as a private file. Then start again: the place is kept.",
    { detail: `there: ${howToLogIn(engine)}` },
    { detail: `here: ${keyLine({ executor, engine, isNamed })}` },
  ],
);

function keyLine({ executor, engine, isNamed }: LoginMissing): string {
  const key = codingCli(engine)?.keys[0] ?? "NAME_OF_A_VARIABLE";
  const name = isNamed ? shown(executor) : "<name>";
  return `executors.${name}.env: [${key}]`;
}
