import { join } from "node:path";
import { redactorOf } from "../../agents/recording/redact.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { otlpSettings, type OtlpSettings } from "../../host/otlp/otlp-settings.ts";
import { OtlpSender } from "../../host/otlp/otlp-sender.ts";
import { otlpBody, type SessionSpan } from "../../views/spans/otlp-span.ts";
import { SessionSpans, type Clean } from "../../views/spans/session-spans.ts";
import { SpanReader } from "../../views/spans/span-reader.ts";
import { parsePlace } from "../../views/spans/spans-place.ts";
import type { Cli } from "../../terminal/cli.ts";
import { homeFolder } from "../../workspace/home-folder.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { count } from "../../base/words/sentence.ts";

/** How often the logs are looked at. */
const LOOK_MS = 5_000;
/** How long the end of a supervisor may take for it, if the collector does not answer. */
const END_MS = 1_000;
const PLACE_BYTES_MAX = 64 * 1024;
const TEXT_CHARS_MAX = 200;

/** The export of a session's spans by this process. */
export interface SpansExport {
  /** Sends what is left, for a moment. Never rejects. */
  end(): Promise<void>;
}

/**
 * From now on, sends the spans of a session to the collector that the standard variables of OpenTelemetry name. It
 * reads the logs as any other reader: what becomes of it does not touch the session.
 */
export function exportSpans(cli: Cli, found: FoundSession): SpansExport | undefined {
  const settings = otlpSettings(cli.env);
  if (settings.ok) return new Exporter(cli, found, settings.value);
  cli.terminal.err(`wisp: spans are not exported: ${settings.failure}.`);
  return undefined;
}

class Exporter implements SpansExport {
  readonly #cli: Cli;
  readonly #placePath: string;
  readonly #spans: SessionSpans;
  readonly #reader: SpanReader;
  readonly #sender: OtlpSender<SessionSpan>;
  readonly #timer: NodeJS.Timeout;

  constructor(cli: Cli, { home, session }: FoundSession, settings: OtlpSettings) {
    const { files, clock } = cli.host;
    this.#cli = cli;
    this.#spans = new SessionSpans(session, cleanFor(cli, session.repository));
    const { traceId } = this.#spans;
    // A revision may have the folder of its parent.
    this.#placePath = join(session.state, `spans-${traceId}.json`);
    const kept = files.read(this.#placePath, PLACE_BYTES_MAX);
    const place = kept.ok && kept.value !== undefined ? parsePlace(kept.value) : undefined;
    this.#reader = new SpanReader(files, home, { spans: this.#spans, place });
    const { version } = cli;
    const resource = { ...settings.resource, "service.version": version };
    this.#sender = new OtlpSender({
      settings,
      body: (spans) => otlpBody(spans, { traceId, resource, version }),
      nowMs: () => clock.nowMs(),
      tell: (text) => cli.terminal.err(`${text}.`),
    });
    // Does not keep the process alive.
    this.#timer = setInterval(() => {
      try {
        this.#look();
      } catch (thrown) {
        // A mistake of ours here must not end the supervisor.
        clearInterval(this.#timer);
        cli.terminal.err(`wisp: spans are no longer exported: ${String(thrown)}`);
      }
    }, LOOK_MS).unref();
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#sender.push(this.#reader.read());
    const { place } = this.#reader;
    // Not counted among what was sent until then: the next supervisor sends it again, with a later end.
    this.#sender.push([this.#spans.session(this.#cli.host.clock.nowMs())]);
    await this.#sender.end(END_MS);
    const { dropped } = this.#sender;
    if (dropped === 0) this.#keep(place);
    else this.#cli.terminal.err(`wisp: ${count(dropped, "span")} could not be exported.`);
  }

  #look(): void {
    this.#sender.push(this.#reader.read());
    const { place } = this.#reader;
    this.#sender.send(() => {
      this.#keep(place);
    });
  }

  /** If it cannot be kept, some spans come twice, under the same ids. */
  #keep(place: SpanReader["place"]): void {
    this.#cli.host.files.replace(this.#placePath, Buffer.from(JSON.stringify(place)));
  }
}

/** Names of milestones and branches are somebody's words: no secrets, no paths of this machine, one line. */
function cleanFor({ env }: Cli, repository: string): Clean {
  const redact = redactorOf(env);
  const places = [repository, env["HOME"] ?? homeFolder() ?? ""].filter(
    (place) => place.length > 1,
  );
  return (text) => {
    const bare = places.reduce((rest, place) => rest.replaceAll(place, "~"), redact(text));
    return cleanText(bare, { charsMax: TEXT_CHARS_MAX, lines: "one" });
  };
}
