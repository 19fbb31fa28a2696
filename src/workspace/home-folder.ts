import { isAbsolute } from "node:path";
import { EXIT } from "../base/exit-code.ts";
import { refusal } from "../base/failure.ts";
import { CannotGoOn } from "../base/fatal.ts";
import { accountHome, homeDirectory, USER_AND_GROUP } from "../host/system/this-machine.ts";

/** Neither the environment nor the account database names a home folder. */
export const NoHomeFolder = refusal(
  "no-home-folder",
  EXIT.usage,
  ({ uid }: { readonly uid: number }) => [
    `There is no home folder: HOME is not set, and the account database has no user ${String(uid)}.`,
    "Set HOME to a folder in which this user may write, then run the same command again.",
  ],
);

/** The person's home folder; undefined if nothing names one. */
export function homeFolder(): string | undefined {
  const found = [homeDirectory(), accountHome()];
  return found.find((path) => path !== undefined && isAbsolute(path));
}

/** The person's home folder. Ends the process with advice if nothing names one. */
export function needHomeFolder(): string {
  const home = homeFolder();
  if (home === undefined) throw new CannotGoOn(NoHomeFolder(USER_AND_GROUP));
  return home;
}
