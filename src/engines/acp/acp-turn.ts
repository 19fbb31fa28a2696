import { spawn, type ChildProcess } from "node:child_process";
import { lstatSync, readFileSync, realpathSync, writeSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type ClientContext,
  type CreateElicitationRequest,
  type InitializeResponse,
} from "@agentclientprotocol/sdk";
import { AcpCalls } from "./acp-calls.ts";
import { AcpUsage } from "./acp-usage.ts";
import { AcpServers, AcpTask, type AcpLine } from "./acp-line.ts";
import { setAcpChoices } from "./acp-choices.ts";
import { AcpStops } from "./acp-stops.ts";
import { permissionOption, type RealPlace } from "./acp-permission.ts";
import { textAt, valueAt } from "../events/json-value.ts";

const STDIN_FD = 0;
const STDOUT_FD = 1;
/** The time between the end of a process's output and its exit. */
const DEATH_MS = 500;

/**
 * Runs one turn of an agent that speaks the Agent Client Protocol; the engine `acp` starts this as a program. Like
 * any CLI it is a separate process, so that its output goes straight to a file and everything ends with its process
 * group. Returns the exit code.
 */
export async function runAcpTurn(taskText: string): Promise<number> {
  const task = AcpTask.parse(JSON.parse(taskText));
  const prompt = readFileSync(STDIN_FD, "utf8");
  const [executable, ...args] = task.argv;
  const agent = spawn(executable, args, { stdio: ["pipe", "pipe", "inherit"] });
  const started = await new Promise<string | undefined>((resolve) => {
    agent.once("spawn", () => resolve(undefined));
    agent.once("error", (error) => resolve(error.message));
  });
  if (started !== undefined) {
    print({ type: "error", message: `the agent cannot be started: ${started}` });
    return 1;
  }
  const turn = new AcpTurn(task, prompt);
  const stream = ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
  try {
    return await turn.run(stream);
  } catch (thrown) {
    const said = errorOf(thrown);
    // If the agent died without a word, its closed connection must not look like a network failure.
    const death = thrown instanceof RequestError ? undefined : await deathOf(agent);
    print({ type: "error", ...(death === undefined ? said : { message: death }) });
    return 1;
  } finally {
    agent.kill("SIGTERM");
  }
}

/** How the agent ended, if it has ended or is about to. */
async function deathOf(agent: ChildProcess): Promise<string | undefined> {
  if (agent.exitCode === null && agent.signalCode === null) {
    const ended = new Promise((resolve) => agent.once("exit", resolve));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, DEATH_MS))]);
  }
  const { exitCode, signalCode } = agent;
  if (signalCode !== null) return `the agent was killed by ${signalCode}`;
  return exitCode === null ? undefined : `the agent ended with exit code ${exitCode}`;
}

/** How often an agent is asked in one turn: one that every refused call ends would be asked for ever. */
const ASKS_MAX = 20;

const GO_ON =
  "That call was refused: it is not part of your work here, and nobody is there who could allow it. Do without it, and go on with what you were asked to do.";

function print(line: AcpLine): void {
  writeSync(STDOUT_FD, `${JSON.stringify(line)}\n`);
}

interface Opened {
  readonly sessionId: string;
  readonly opened: unknown;
}

class AcpTurn {
  readonly #task: AcpTask;
  readonly #prompt: string;
  readonly #cwd = process.cwd();
  readonly #calls = new AcpCalls();
  readonly #usage = new AcpUsage();
  readonly #stops = new AcpStops();
  #question: string | undefined;
  /** A loaded session first repeats its past updates, which are not part of this turn. */
  #isAsking = false;

  constructor(task: AcpTask, prompt: string) {
    this.#task = task;
    this.#prompt = prompt;
  }

  async run(stream: ReturnType<typeof ndJsonStream>): Promise<number> {
    const side = client({ name: "wisp" })
      .onNotification(methods.client.session.update, ({ params }) => {
        if (!this.#isAsking) return;
        this.#calls.note(params.update);
        this.#stops.note(params.update);
        print({ type: "update", update: params.update });
        if (this.#usage.noteUpdate(params.update)) this.#printUsage();
      })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        const { edits, directories, readable } = this.#task;
        const call = this.#calls.asked(params.toolCall);
        const reach = { edits, writable: [this.#cwd, ...directories], readable };
        const asked = { call, options: params.options };
        const { isAllowed, optionId } = permissionOption(asked, reach, realPlace);
        if (!isAllowed) {
          const { toolCallId: id, title, kind, rawInput } = params.toolCall;
          print({ type: "refused", id, tool: title ?? kind ?? "unknown", input: rawInput });
          this.#stops.refused();
        }
        if (optionId === undefined) return { outcome: { outcome: "cancelled" } };
        return { outcome: { outcome: "selected", optionId } };
      })
      .onRequest(methods.client.elicitation.create, ({ params }) => {
        // Nobody can answer now: the question is recorded, and a later turn gets the answer.
        this.#question ??= questionOf(params);
        return { action: "cancel" };
      });
    return side.connectWith(stream, (agent) => this.#converse(agent));
  }

  async #converse(agent: ClientContext): Promise<number> {
    const known = await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: "wisp", version: "1" },
      clientCapabilities: { elicitation: { form: {} } },
    });
    this.#usage.countAs(known.agentInfo);
    const session = await this.#session(agent, known);
    if (session === undefined) return 1;
    const { sessionId, opened } = session;
    const { mode, model } = this.#task;
    print({ type: "session", session: sessionId, model });
    const ask = (method: string, fields: object) => agent.request(method, { sessionId, ...fields });
    const wrong = await setAcpChoices(ask, opened, { mode, model });
    if (wrong !== undefined) {
      print({ type: "error", message: wrong });
      return 1;
    }
    this.#isAsking = true;
    return this.#ask(agent, sessionId);
  }

  /** Asks the agent, and again each time that it ends because a call was refused. */
  async #ask(agent: ClientContext, sessionId: string): Promise<number> {
    for (let asks = 1, text = this.#prompt; ; asks += 1, text = GO_ON) {
      this.#stops.asked();
      const prompt = [{ type: "text" as const, text }];
      const { prompt: method } = methods.agent.session;
      const ended: unknown = await agent.request(method, { sessionId, prompt });
      if (this.#usage.noteEnd(ended)) this.#printUsage();
      if (this.#question !== undefined) {
        print({ type: "asked", question: this.#question });
        return 0;
      }
      const stopReason = textAt(ended, "stopReason") ?? "none";
      if (stopReason === "end_turn" && this.#stops.isStopped && asks < ASKS_MAX) continue;
      print({ type: "result", stopReason, usage: valueAt(ended, "usage") });
      return stopReason === "end_turn" ? 0 : 1;
    }
  }

  #printUsage(): void {
    print({ type: "usage", ...this.#usage.used });
  }

  /** Opens the session; `opened` is the agent's answer. */
  async #session(agent: ClientContext, known: InitializeResponse): Promise<Opened | undefined> {
    const { resume, mcpFile } = this.#task;
    const place = { cwd: this.#cwd, mcpServers: serversIn(mcpFile) };
    if (resume === undefined) {
      const opened: unknown = await agent.request(methods.agent.session.new, place);
      const sessionId = textAt(opened, "sessionId");
      if (sessionId !== undefined) return { sessionId, opened };
      print({ type: "error", message: "the agent named no session" });
      return undefined;
    }
    if (known.agentCapabilities?.loadSession !== true) {
      print({ type: "error", message: "session not found: the agent cannot load sessions" });
      return undefined;
    }
    try {
      const loaded = { ...place, sessionId: resume };
      return { sessionId: resume, opened: await agent.request(methods.agent.session.load, loaded) };
    } catch (thrown) {
      // Whatever the reason, a conversation that cannot be loaded is followed by a new one.
      const { message } = errorOf(thrown);
      print({ type: "error", message: `session not found: ${message}`, code: NO_SESSION });
      return undefined;
    }
  }
}

const realPlace: RealPlace = (path) => {
  try {
    return { path: realpathSync.native(path) };
  } catch {
    return isNothing(path) ? "none" : "unclear";
  }
};

function isNothing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** Reads a file that wisp wrote for this turn. */
function serversIn(path: string | undefined): AcpServers {
  return path === undefined ? [] : AcpServers.parse(JSON.parse(readFileSync(path, "utf8")));
}

function questionOf(params: CreateElicitationRequest): string {
  return params.mode === "url" && typeof params.url === "string"
    ? `${params.message} (${params.url})`
    : params.message;
}

const NO_SESSION = "session not found";
/** The protocol's codes for "log in first" and for something that does not exist. */
const CODES = new Map([
  [-32_000, "authentication_required"],
  [-32_002, NO_SESSION],
]);

function errorOf(thrown: unknown): Omit<Extract<AcpLine, { type: "error" }>, "type"> {
  if (!(thrown instanceof Error)) return { message: "the agent failed" };
  if (!(thrown instanceof RequestError)) return { message: thrown.message };
  const { code, data } = thrown;
  const details = textAt(data, "details") ?? textAt(data, "message");
  const message = details === undefined ? thrown.message : `${thrown.message}: ${details}`;
  // The protocol's own codes are negative; some agents pass on the HTTP status.
  const status = code >= 400 && code < 600 ? code : undefined;
  return { message, code: CODES.get(code), status };
}
