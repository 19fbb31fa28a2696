import { join } from "node:path";
import { NOTIFY_MS_MAX } from "../../base/limits.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { SupervisorRecord } from "../../fs-protocol/records/supervisor-log.ts";
import { clip } from "../../work/clip.ts";
import type { Journal } from "../../work/journal.ts";
import type { Ports } from "../../work/role-context.ts";
import { noticesOf, type Notice } from "./notices.ts";

/** The command that notifies a person who may not be watching a terminal. */
export interface NotifyCommand {
  /** The program and its arguments; the text is appended as the last argument. */
  readonly argv: readonly [string, ...string[]];
  /** Its whole environment, except for the variables that describe the notice. */
  readonly env: Readonly<Record<string, string>>;
  /** True if the program reads its last argument as markup, as desktop notifiers do. */
  readonly isMarkup?: boolean;
}

interface AnnouncerParts {
  readonly ports: Pick<Ports, "processes" | "clock">;
  readonly home: Home;
  readonly session: SessionJson;
  readonly journal: Journal<SupervisorRecord>;
  /** Undefined if nobody is to be notified. */
  readonly command: NotifyCommand | undefined;
}

/**
 * Notifies a person of questions and of the end, each at most once: a notice is recorded before it is sent, so that a
 * supervisor that takes over does not repeat it. A supervisor killed in between never sends it.
 */
export class Announcer {
  readonly #parts: AnnouncerParts;
  /** What the notices sent by this process are about. */
  readonly #announced = new Set<string>();
  #sending = Promise.resolve();

  constructor(parts: AnnouncerParts) {
    this.#parts = parts;
  }

  /** Starts to send the notices that are new, without waiting for them. */
  announce(state: SessionState): void {
    const { command, session, journal, ports } = this.#parts;
    if (command === undefined) return;
    for (const notice of noticesOf(state, session, ports.clock.nowMs())) {
      const { about } = notice;
      if (this.#announced.has(about) || state.supervisor.notified.has(about)) continue;
      this.#announced.add(about);
      const [via] = command.argv;
      const text = clip(notice.text);
      journal.append({ kind: "notice", time: journal.time(), about, via, text });
      this.#sending = this.#sending.then(() => this.#send(command, { ...notice, text }));
    }
  }

  /** Resolves when every notice was sent or has failed. */
  settled(): Promise<void> {
    return this.#sending;
  }

  async #send(
    { argv, env, isMarkup = false }: NotifyCommand,
    { question, text }: Notice,
  ): Promise<void> {
    const { ports, home, session, journal } = this.#parts;
    const output = join(home.logs, "notify.out");
    const ended = await ports.processes.run({
      argv: [...argv, isMarkup ? escaped(text) : text],
      cwd: session.repository,
      env: {
        ...env,
        WISP_SESSION: session.id,
        WISP_NOTIFY_TEXT: text,
        WISP_QUESTION: question ?? "",
      },
      stdin: "",
      stdoutPath: output,
      stderrPath: output,
      timeoutMs: NOTIFY_MS_MAX,
      runId: `${home.directory}#notify`,
      signal: new AbortController().signal,
    });
    const isSent = ended.ok && ended.value.kind === "exited" && ended.value.exitCode === 0;
    if (isSent) return;
    const why = ended.ok ? ended.value.kind : ended.failure.errno;
    const failure = clip(`${argv[0]} could not tell anybody (${why}): see logs/notify.out`);
    journal.append({ kind: "note", time: journal.time(), text: failure });
  }
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
