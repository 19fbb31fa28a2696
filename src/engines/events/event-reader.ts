import type { EngineEvent, ParseLine } from "./engine-event.ts";
import { jsonOf } from "../../base/words/json-text.ts";

/** A longer line is skipped: a picture in a tool's result must not fill the memory. */
const LINE_CHARS_MAX = 8 * 1024 * 1024;

/**
 * Reads the output of a CLI as it grows. Each line is parsed as JSON; one that is not a JSON object gives an
 * `unknown` without a type. No input makes it fail.
 */
export class EventReader {
  readonly #parse: ParseLine;
  readonly #decoder = new TextDecoder();
  #rest = "";
  /** True while the rest of a line that is too long is skipped. */
  #isSkipping = false;

  constructor(parse: ParseLine) {
    this.#parse = parse;
  }

  /** The events in the lines that are now complete. */
  push(bytes: Uint8Array): readonly EngineEvent[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The events in what follows the last newline; call it once the CLI has ended. */
  end(): readonly EngineEvent[] {
    return this.#take(`${this.#decoder.decode()}\n`);
  }

  #take(text: string): readonly EngineEvent[] {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    const events = lines.flatMap((line) => this.#eventsOf(line));
    if (this.#rest.length > LINE_CHARS_MAX) {
      this.#rest = "";
      this.#isSkipping = true;
    }
    return events;
  }

  #eventsOf(line: string): readonly EngineEvent[] {
    if (this.#isSkipping) {
      this.#isSkipping = false;
      return [{ kind: "unknown", type: undefined }];
    }
    if (line.trim() === "") return [];
    const value = jsonOf(line);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? this.#parse(value) : [{ kind: "unknown", type: undefined }];
  }
}
