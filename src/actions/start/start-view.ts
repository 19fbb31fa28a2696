import { perRole, type PerRole } from "../../base/role.ts";
import type { SandboxKind } from "../../base/ports/sandbox.ts";
import type { LoginState } from "../../engines/login-state.ts";
import type { CompiledRequest } from "../../session/rules/compile-request.ts";
import type { Missing } from "../../evidence/missing/missing.ts";
import type { SessionDraft } from "./session-draft.ts";

/** The output of `wisp start --json`; fields are added, never renamed or removed. */
export interface StartView {
  readonly schema: "wisp.start/1";
  readonly session: string;
  readonly branch: string;
  readonly base: string;
  /** Its files; absent if nothing was created. */
  readonly home: string | undefined;
  readonly isDryRun: boolean;
  /** Whether a process works on it now. */
  readonly isSupervised: boolean;
  readonly request: {
    readonly path: string;
    /** `prose` has to be planned; the others are the plan. */
    readonly kind: "prose" | CompiledRequest["form"];
    /** For a request that is the plan. */
    readonly milestones: number | undefined;
    readonly tasks: number | undefined;
    /** How many of them are ticked. */
    readonly done: number | undefined;
  };
  /** Argument vectors. */
  readonly verify: readonly (readonly string[])[];
  readonly engines: PerRole<string>;
  readonly sandbox: SandboxKind;
  /**
   * Whether each coding CLI that may run is logged in, by its name; absent if a session was created. A key in a variable
   * counts, valid or not.
   */
  readonly logins: Readonly<Record<string, LoginState>> | undefined;
  /** What verify is likely to miss at the base, as far as that needs no run: hints. */
  readonly missing: readonly Missing[];
}

/** What became of a draft, or would. */
export interface StartFacts {
  readonly id: string;
  readonly branch: string;
  readonly home?: string | undefined;
  readonly isSupervised?: boolean | undefined;
  readonly logins?: StartView["logins"];
  readonly missing?: StartView["missing"] | undefined;
}

/** A session that was just created, or would be, for programs. */
export function startView(
  { request, settings }: SessionDraft,
  { id, branch, home, isSupervised = false, logins, missing = [] }: StartFacts,
): StartView {
  const milestones = request.plan?.plan.milestones;
  return {
    schema: "wisp.start/1",
    session: id,
    branch,
    base: settings.base,
    home,
    isDryRun: home === undefined,
    isSupervised,
    request: {
      path: request.path,
      kind: request.plan?.form ?? "prose",
      milestones: milestones?.length,
      tasks: milestones?.reduce((sum, { tasks }) => sum + tasks.length, 0),
      done: request.plan?.plan.ticks.reduce((sum, { tasks }) => sum + tasks.length, 0),
    },
    verify: settings.verify,
    engines: perRole((role) => settings.engines[role].name),
    sandbox: settings.sandbox?.kind ?? "none",
    logins,
    missing,
  };
}
