import { numberAt, textAt, valueAt } from "../events/json-value.ts";
import type { Tokens } from "../../fs-protocol/records/turn-usage.ts";

/**
 * How an agent counts its tokens: in the answer to the prompt for the whole turn, as the protocol has it; there for
 * the last request only, which tells nothing about the turn; or with each request, in a field of its own.
 */
type Counts = "turn" | "last-request" | "each-request";

/** Agents that were measured and differ from the protocol, by the name that they give of themselves. */
const MEASURED: Readonly<Record<string, Counts>> = {
  OpenCode: "last-request",
  "qwen-code": "each-request",
};

/** What a turn has used and its session has cost, from all that the agent says. */
export class AcpUsage {
  #counts: Counts = "turn";
  #tokens: Tokens | undefined;
  /** Whether an answer to a prompt said nothing. */
  #isUnknown = false;
  #costUsd: number | undefined;

  /** Sets how the agent counts, by the `agentInfo` of its answer to `initialize`. */
  countAs(agentInfo: unknown): void {
    const name = textAt(agentInfo, "name") ?? "";
    if (Object.hasOwn(MEASURED, name)) this.#counts = MEASURED[name] ?? "turn";
  }

  /** Adds what an update says; whether that is anything. */
  noteUpdate(update: unknown): boolean {
    if (textAt(update, "sessionUpdate") === "usage_update") return this.#noteCost(update);
    const usage = valueAt(update, "_meta", "usage");
    const request = this.#counts === "each-request" ? tokensOf(usage) : undefined;
    if (request === undefined) return false;
    this.#tokens = plus(this.#tokens, request);
    return true;
  }

  /** Adds what the answer to a prompt says; whether all of them said something. */
  noteEnd(answer: unknown): boolean {
    if (this.#counts !== "turn") return false;
    const counted = valueAt(answer, "_meta", "quota", "token_count");
    const used = tokensOf(valueAt(answer, "usage")) ?? quotaOf(counted);
    this.#isUnknown ||= used === undefined;
    this.#tokens = used === undefined || this.#isUnknown ? undefined : plus(this.#tokens, used);
    return this.#tokens !== undefined;
  }

  get used(): { readonly tokens: Tokens | undefined; readonly costUsd: number | undefined } {
    return { tokens: this.#tokens, costUsd: this.#costUsd };
  }

  /** Only dollars can be added up; a session that says both is not known. */
  #noteCost(update: unknown): boolean {
    const amount = numberAt(update, "cost", "amount");
    if (amount === undefined || amount < 0) return false;
    this.#costUsd = textAt(update, "cost", "currency") === "USD" ? amount : undefined;
    return true;
  }
}

/** `Usage` of the protocol. */
function tokensOf(usage: unknown): Tokens | undefined {
  const cached = numberAt(usage, "cachedReadTokens") ?? 0;
  const fresh = numberAt(usage, "inputTokens");
  const written = numberAt(usage, "cachedWriteTokens") ?? 0;
  const input = fresh === undefined ? undefined : fresh + cached + written;
  return counted(input, numberAt(usage, "outputTokens"), cached);
}

/** `token_count` of gemini, which tells nothing about its cache. */
function quotaOf(count: unknown): Tokens | undefined {
  return counted(numberAt(count, "input_tokens"), numberAt(count, "output_tokens"), 0);
}

function counted(
  input: number | undefined,
  output: number | undefined,
  cached: number,
): Tokens | undefined {
  if (input === undefined || output === undefined) return undefined;
  const isCount = [input, output, cached].every(
    (count) => Number.isSafeInteger(count) && count >= 0,
  );
  return isCount ? { input, output, cached } : undefined;
}

function plus(one: Tokens | undefined, other: Tokens): Tokens {
  if (one === undefined) return other;
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cached: one.cached + other.cached,
  };
}
