import type { OddKind } from "../fs-protocol/home-issue.ts";

/** In a session's home lies what wisp does not open, or what was done cannot be told any more. */
export interface HomeDamaged {
  readonly kind: "home-damaged";
  readonly session: string;
  readonly branch: string;
  /** Paths from the home on. */
  readonly odd: readonly {
    readonly path: string;
    readonly is: OddKind;
    readonly expected: "file" | "directory";
  }[];
  /** Logs of which neither the file nor a copy is left. */
  readonly lost: readonly string[];
}

/** The home of a session that the state directory knows was removed, or its `session.json`. */
export interface HomeRemoved {
  readonly kind: "home-removed";
  readonly session: string;
  readonly branch: string;
  readonly repository: string;
  /** Absolute path of what is not there. */
  readonly missing: string;
}

/** What became of a session's home. */
export type HomeFailure = HomeDamaged | HomeRemoved;
