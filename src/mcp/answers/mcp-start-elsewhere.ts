import { runStarted } from "../../actions/elsewhere/run-started.ts";
import { startElsewhere } from "../../actions/elsewhere/start-elsewhere.ts";
import { present } from "../../base/assert.ts";
import { attempted, need, type WorldFailure } from "../../base/fatal.ts";
import { MCP_PROGRESS_MS, MCP_START_MS_MAX } from "../../base/limits.ts";
import type { Result } from "../../base/result.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import type { Answer, Watch } from "../actions.ts";
import type { StartInput } from "../inputs.ts";
import { succeeded, type ToolWorld } from "./mcp-answer.ts";
import { nextAfterStart } from "./mcp-start.ts";

/** A start elsewhere that goes on though its call was answered. */
interface FarStart {
  /** What it said last. */
  says: string;
  readonly done: Promise<Result<FoundSession, WorldFailure>>;
}

/** A start elsewhere, as a client asks for it. */
export interface FarStartCall {
  readonly input: StartInput;
  /** The executor. */
  readonly on: string;
  /** Tells the person, who sees the server's own messages. */
  readonly tell: World["tell"];
}

/**
 * Starts of sessions elsewhere. One can take many minutes and clients wait for one, so a call is answered after
 * `MCP_START_MS_MAX` though the start goes on; the same call then finds it.
 */
export class FarStarts {
  readonly #running = new Map<string, FarStart>();

  /** Starts a session elsewhere, or waits for the same start. */
  async start(world: ToolWorld, call: FarStartCall, { signal, progress }: Watch): Promise<Answer> {
    const { clock } = world.host;
    const { input, on } = call;
    const start = this.#begun(world, call);
    const beginMs = clock.nowMs();
    for (;;) {
      const passed = new AbortController();
      const waiting = clock.sleep(MCP_PROGRESS_MS, AbortSignal.any([signal, passed.signal]));
      const ended = await Promise.race([start.done, waiting]);
      passed.abort();
      if (ended !== undefined) return startedAnswer(need(ended), input, on);
      const passedMs = clock.nowMs() - beginMs;
      if (signal.aborted || passedMs >= MCP_START_MS_MAX) return unfinished(on, start.says);
      const seconds = Math.round(passedMs / 1_000);
      progress({ seconds, of: MCP_START_MS_MAX / 1_000 }, start.says);
    }
  }

  #begun(world: ToolWorld, { input, on, tell }: FarStartCall): FarStart {
    const key = JSON.stringify([on, input]);
    const known = this.#running.get(key);
    if (known !== undefined) return known;
    const hear = (text: string) => {
      begun.says = text;
      tell(text);
    };
    const done = attempted(() => startAndRun({ ...world, tell: hear }, input, on));
    const begun: FarStart = {
      says: `reaching ${on}`,
      done: done.finally(() => this.#running.delete(key)),
    };
    this.#running.set(key, begun);
    return begun;
  }
}

async function startAndRun(
  world: World,
  { request, branch, plan, run, again }: StartInput,
  on: string,
): Promise<FoundSession> {
  const started = await startElsewhere(world, {
    ...{ request: "request.md", content: Buffer.from(request), branch, plan, again, on },
    ...{ yes: false, json: true, withoutSandbox: false },
    passed: [...(plan ? ["--plan"] : []), ...(again ? ["--again"] : [])],
  });
  return runStarted(world, present(started, "nobody is asked who could decline"), { up: run });
}

function startedAnswer({ session, home }: FoundSession, { run }: StartInput, on: string): Answer {
  const { id, branch } = session;
  const words = `Session ${id} on branch ${branch} ${run ? "is running" : "was created"} on ${on}.`;
  const data = { session: id, branch, home: home.directory, runs: run, on };
  return succeeded(`${words} ${nextAfterStart(id, run)}`, data);
}

function unfinished(on: string, says: string): Answer {
  const words =
    `The session is still being started on ${on} (${says}). ` +
    "Next: start_session with the same input, which waits for it and starts nothing twice.";
  return succeeded(words, { isStarting: true, on });
}
