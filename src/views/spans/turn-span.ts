import type { Role } from "../../base/role.ts";
import type { RecordOfLog } from "../../fs-protocol/home/logs.ts";
import type { SessionSpan } from "./otlp-span.ts";

type RecordOf<K extends string> = Extract<RecordOfLog<Role>, { kind: K }>;

/** A turn that has begun. */
export interface OpenTurn {
  readonly record: RecordOf<"turn.begin">;
  readonly fromMs: number;
}

export function beganTurn(record: RecordOf<"turn.begin">, fromMs: number): OpenTurn {
  return { record, fromMs };
}

/** Who stands behind a coding CLI by itself, in the words of the conventions; its settings may name another. */
const PROVIDERS: Readonly<Record<string, string>> = {
  claude: "anthropic",
  codex: "openai",
  gemini: "gcp.gemini",
};

interface EndedTurn {
  readonly begun: OpenTurn;
  readonly record: RecordOf<"turn.end">;
  readonly id: string;
  readonly parentId: string;
  readonly toMs: number;
}

/**
 * One run of an engine, by the conventions for an agent that is invoked. The cost has no convention; unknown values are
 * left out, and are never 0.
 */
export function endedTurn(
  { begun, record, id, parentId, toMs }: EndedTurn,
  clean: (text: string) => string,
): SessionSpan {
  const { engine, purpose, attempt, m: milestone } = begun.record;
  const { outcome, failure, model, cost, tokens, denied } = record;
  return {
    ...{ id, parentId, name: `invoke_agent ${engine}`, kind: "client" },
    ...{ fromMs: begun.fromMs, toMs, events: [] },
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": PROVIDERS[engine] ?? engine,
      "gen_ai.agent.name": engine,
      "gen_ai.response.model": model === undefined ? undefined : clean(model),
      "gen_ai.usage.input_tokens": tokens?.input,
      "gen_ai.usage.output_tokens": tokens?.output,
      "gen_ai.usage.cache_read.input_tokens": tokens?.cached,
      "wisp.cost.usd": cost,
      "wisp.purpose": purpose,
      "wisp.attempt": attempt,
      "wisp.milestone": milestone === undefined ? undefined : clean(milestone),
      "wisp.outcome": outcome,
      "wisp.denied_calls": denied,
    },
    failure: outcome === "failed" ? (failure ?? "failed") : undefined,
  };
}
