import type { Tokens } from "../../fs-protocol/records/turn-usage.ts";

/**
 * What happens in a turn of a coding CLI, in one vocabulary for all of them. Texts are as the CLI gave
 * them: whoever shows or stores them cleans them.
 */
export type EngineEvent =
  /** Who the CLI says it is, and the session that a later turn may resume. */
  | {
      readonly kind: "session";
      readonly session: string;
      readonly model?: string | undefined;
      readonly version?: string | undefined;
    }
  /** The model that answers, where that is told by itself. */
  | { readonly kind: "model"; readonly model: string }
  /** Words of the model; `isDelta`: they go on where the last ones stopped. */
  | { readonly kind: "text"; readonly text: string; readonly isDelta: boolean }
  /** `input` is what the tool was given, as JSON. */
  | {
      readonly kind: "tool-call";
      readonly id: string;
      readonly name: string;
      readonly input: string;
    }
  | {
      readonly kind: "tool-result";
      readonly id: string;
      readonly isError: boolean;
      /** It failed because permission rules refused the call, or took its tool away. */
      readonly isRefused?: boolean | undefined;
      readonly text: string;
      /** What was called, where that is told again: the begin of a call may not have been told. */
      readonly call?: { readonly name: string; readonly input: string } | undefined;
    }
  /** A request failed, and the CLI tries again by itself. */
  | { readonly kind: "retry"; readonly trouble: Trouble }
  /** What was used since the last such event, or, by the engine's basis, in all. */
  | {
      readonly kind: "usage";
      readonly tokens: Tokens | undefined;
      /** In US dollars, by the CLI's own price table; `undefined` is unknown, never 0. */
      readonly costUsd: number | undefined;
    }
  /** A permission that was asked for and not given, where that is told by itself. */
  | { readonly kind: "denial"; readonly denial: Denial }
  /** Something failed; whether that was the end is said by `result`. */
  | { readonly kind: "error"; readonly trouble: Trouble }
  /** The end, as the CLI sees it. */
  | {
      readonly kind: "result";
      readonly isSuccess: boolean;
      /** The answer, where the CLI repeats it at the end. */
      readonly text: string | undefined;
      readonly denials: readonly Denial[];
    }
  /** A line of another kind; `type` is `undefined` for a line that is no JSON object. */
  | { readonly kind: "unknown"; readonly type: string | undefined };

/** A call that the CLI's permission rules refused. */
export interface Denial {
  /** Of the call, where it is told. */
  readonly id?: string | undefined;
  readonly tool: string;
  /** What the tool was given, as JSON. */
  readonly input: string;
}

/** What a provider or the CLI itself said about a failure. */
export interface Trouble {
  readonly message: string;
  /** HTTP status, where there was one. */
  readonly status?: number | undefined;
  /** The CLI's or the provider's own word for it, such as `rate_limit`. */
  readonly code?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** When a limit ends, in milliseconds since 1970. */
  readonly resetAtMs?: number | undefined;
}

/** The events in one line of a CLI's output, parsed as JSON; a line of no use is one `unknown`. */
export type ParseLine = (line: unknown) => readonly EngineEvent[];
