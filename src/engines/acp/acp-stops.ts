import { textAt } from "../events/json-value.ts";

/** What copilot prints in the place of its model when it stops (1.0.102). */
const COPILOT_STOPPED = "Info: Operation cancelled by user";

/**
 * Whether an agent stopped at a refused call. Some end the whole turn there, as if a person had said no and would now say
 * what to do instead; their model never hears of it (copilot 1.0.102, opencode 1.18.33).
 */
export class AcpStops {
  readonly #known = new Set<string>();
  #isStopped = false;

  /** Takes in that the agent is asked, for the first time or again. */
  asked(): void {
    this.#isStopped = false;
  }

  /** Takes in that a call was refused. */
  refused(): void {
    this.#isStopped = true;
  }

  /** Takes in an update: an agent that says something, or begins another call, goes on. */
  note(update: unknown): void {
    const type = textAt(update, "sessionUpdate");
    const id = textAt(update, "toolCallId");
    const isNew = id !== undefined && !this.#known.has(id);
    if (id !== undefined) this.#known.add(id);
    const text = textAt(update, "content", "text")?.trim() ?? "";
    const speaks = type === "agent_message_chunk" && text !== "" && text !== COPILOT_STOPPED;
    if (isNew || speaks) this.#isStopped = false;
  }

  /** Whether a call was refused since the agent was asked, and nothing came of it afterwards. */
  get isStopped(): boolean {
    return this.#isStopped;
  }
}
