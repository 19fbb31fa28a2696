import type { Tokens } from "../../fs-protocol/records/turn-usage.ts";

/**
 * An event in a turn of a coding CLI, in the same form for all of them. Texts are as the CLI printed them: code
 * that shows or stores them must clean them.
 */
export type EngineEvent =
  /** The CLI's identification, and the session that a later turn may resume. */
  | {
      readonly kind: "session";
      readonly session: string;
      readonly model?: string | undefined;
      readonly version?: string | undefined;
    }
  /** The model that answers, if it is reported separately. */
  | { readonly kind: "model"; readonly model: string }
  /** Text of the model; with `isDelta` it continues the previous text. */
  | { readonly kind: "text"; readonly text: string; readonly isDelta: boolean }
  /** `input` is the tool's input as JSON. */
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
      /** Whether it failed because permission rules refused the call or disabled its tool. */
      readonly isRefused?: boolean | undefined;
      readonly text: string;
      /** The call, if the result repeats it: its start may not have been reported. */
      readonly call?: { readonly name: string; readonly input: string } | undefined;
    }
  /** A request failed, and the CLI retries by itself. */
  | { readonly kind: "retry"; readonly trouble: Trouble }
  /** The usage since the previous such event or, depending on the engine, the total. */
  | {
      readonly kind: "usage";
      readonly tokens: Tokens | undefined;
      /** In US dollars, by the CLI's own prices; `undefined` means unknown, never 0. */
      readonly costUsd: number | undefined;
    }
  /** A permission that was requested and refused, if it is reported separately. */
  | { readonly kind: "denial"; readonly denial: Denial }
  /**
   * What the provider says about a limit: that it was reached, and when it ends, or that it leaves requests through.
   * Not by itself a failure: a turn may go on at a price.
   */
  | {
      readonly kind: "limit";
      readonly isReached: boolean;
      /** In milliseconds since 1970. */
      readonly resetAtMs?: number | undefined;
      /** Whether it is the limit of one model; absent: not told. */
      readonly isOfModel?: boolean | undefined;
    }
  /** An MCP server that could not be started; the turn goes on without its tools. */
  | { readonly kind: "broken-server"; readonly server: BrokenServer }
  /** Something failed; `result` tells whether that ended the turn. */
  | { readonly kind: "error"; readonly trouble: Trouble }
  /** The end, as the CLI reports it. */
  | {
      readonly kind: "result";
      readonly isSuccess: boolean;
      /** The answer, if the CLI repeats it at the end. */
      readonly text: string | undefined;
      readonly denials: readonly Denial[];
    }
  /** Any other line; `type` is `undefined` if the line is not a JSON object. */
  | { readonly kind: "unknown"; readonly type: string | undefined };

/** An MCP server that a CLI could not start, and why, if it says so; not cleaned. */
export interface BrokenServer {
  readonly name: string;
  readonly reason: string | undefined;
}

/** A call that the CLI's permission rules refused. */
export interface Denial {
  /** The call's id, if it is reported. */
  readonly id?: string | undefined;
  readonly tool: string;
  /** The tool's input, as JSON. */
  readonly input: string;
}

/** A failure as reported by a provider or by the CLI itself. */
export interface Trouble {
  readonly message: string;
  /** The HTTP status, if there was one. */
  readonly status?: number | undefined;
  /** The CLI's or the provider's own code, such as `rate_limit`. */
  readonly code?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** When a limit ends, in milliseconds since 1970. */
  readonly resetAtMs?: number | undefined;
}

/** Parses the events in one line of a CLI's output, given as JSON; an irrelevant line gives one `unknown`. */
export type ParseLine = (line: unknown) => readonly EngineEvent[];
