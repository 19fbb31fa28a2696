import type { Home } from "../../fs-protocol/home/home.ts";
import { revisionHomes } from "../../fs-protocol/home/home-family.ts";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";

/** The side of a move at which this process runs. */
export interface OwnSide {
  /** As `to` of a `moved` record names it. */
  readonly name: string;
  /** The home of a person's repository, and not a place that was made for the session. */
  readonly isKept: boolean;
  /** The session, never a revision of it: those move with it. */
  readonly id: string;
  /** The top of the work tree here. */
  readonly repository: string;
  readonly home: Home;
}

/** How the side of a person's own repository is named, in records and by people. */
export const HERE = "here";

/** The homes of the session and of its revisions. */
export function movedHomes(files: Pick<Files, "list">, { home }: OwnSide): readonly Home[] {
  return [home, ...need(revisionHomes(files, home))];
}
