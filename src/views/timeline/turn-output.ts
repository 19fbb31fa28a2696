import type { FileFailure, Files } from "../../base/ports/files.ts";
import { READ_CHUNK_BYTES } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import { acpEvents } from "../../engines/acp/acp-events.ts";
import { codingCli } from "../../engines/coding-clis.ts";
import type { EngineEvent, ParseLine } from "../../engines/events/engine-event.ts";
import { EventReader } from "../../engines/events/event-reader.ts";
import { eventLines, textLine } from "./render-turn.ts";
import type { Sentence } from "../../base/words/sentence.ts";

/** The event parser of an engine; undefined if the engine prints only text. */
export function parserOf(engine: string): ParseLine | undefined {
  return engine === "acp" ? acpEvents : codingCli(engine)?.parse;
}

/** The files of a turn's output, without their endings, and what wrote them. */
interface Source {
  readonly base: string;
  readonly engine: string;
  /** Whether to pass over all but the last bytes (`READ_CHUNK_BYTES`) of what is there already. */
  readonly isEndOnly?: boolean;
}

/** The output of one turn as lines for people; each read continues where the last one ended. */
export class TurnOutput {
  readonly #files: Files;
  readonly #streams: readonly { readonly path: string; readonly show: Show; offsetBytes: number }[];

  constructor(files: Files, { base, engine, isEndOnly = false }: Source) {
    this.#files = files;
    const parse = parserOf(engine);
    const streamOf = (path: string, show: Show) => {
      const sizeBytes = isEndOnly ? (files.stat(path)?.sizeBytes ?? 0) : 0;
      const offsetBytes = Math.max(0, sizeBytes - READ_CHUNK_BYTES);
      return { path, offsetBytes, show: offsetBytes === 0 ? show : afterFirstLine(show) };
    };
    const out = streamOf(`${base}.out`, showOf(parse));
    // A CLI's stderr adds nothing to its events, but a plain command may print everything there.
    this.#streams = parse === undefined ? [out, streamOf(`${base}.err`, plainText())] : [out];
  }

  /** Prints the output since the last read as lines for people, and tells whether there was any. */
  read(print: (line: Sentence) => void): Result<boolean, FileFailure> {
    let hasGrown = false;
    for (const stream of this.#streams) {
      const read = readNew(this.#files, stream, (bytes) => {
        hasGrown = true;
        for (const line of stream.show.push(bytes)) print(line);
      });
      if (!read.ok) return read;
    }
    return ok(hasGrown);
  }

  /** Prints the last, unterminated line when no more output will come. */
  end(print: (line: Sentence) => void): void {
    for (const { show } of this.#streams) for (const line of show.end()) print(line);
  }
}

/** The unchanged bytes of an output. */
export class RawOutput {
  readonly #files: Files;
  readonly #streams: readonly { readonly path: string; offsetBytes: number }[];

  constructor(files: Files, base: string) {
    this.#files = files;
    this.#streams = [{ path: `${base}.out`, offsetBytes: 0 }];
  }

  /** Passes on the bytes since the last read. */
  read(take: (bytes: Uint8Array) => void): Result<void, FileFailure> {
    for (const stream of this.#streams) {
      const read = readNew(this.#files, stream, take);
      if (!read.ok) return read;
    }
    return ok(undefined);
  }
}

function readNew(
  files: Files,
  stream: { readonly path: string; offsetBytes: number },
  take: (bytes: Uint8Array) => void,
): Result<void, FileFailure> {
  for (;;) {
    const chunk = files.readChunk(stream.path, stream.offsetBytes, READ_CHUNK_BYTES);
    if (!chunk.ok) return chunk;
    if (chunk.value.length === 0) return ok(undefined);
    stream.offsetBytes += chunk.value.length;
    take(chunk.value);
  }
}

/** Turns bytes into lines for people, as soon as a line is complete. */
interface Show {
  push(bytes: Uint8Array): readonly Sentence[];
  end(): readonly Sentence[];
}

/** Passes over the rest of a line that began before the first byte. */
function afterFirstLine(show: Show): Show {
  let isInFirst = true;
  return {
    push(bytes) {
      const end = isInFirst ? bytes.indexOf(NEWLINE) : -1;
      if (isInFirst && end === -1) return [];
      isInFirst = false;
      return show.push(bytes.subarray(end + 1));
    },
    end: () => show.end(),
  };
}

const NEWLINE = 0x0a;

function showOf(parse: ParseLine | undefined): Show {
  return parse === undefined ? plainText() : events(new EventReader(parse));
}

function plainText(): Show {
  const decoder = new TextDecoder();
  const lines = new WholeLines();
  return {
    push: (bytes) => lines.add(decoder.decode(bytes, { stream: true })),
    end: () => [...lines.add(decoder.decode()), ...lines.end()],
  };
}

function events(reader: EventReader): Show {
  const lines = new WholeLines();
  const shown = (event: EngineEvent): readonly Sentence[] => {
    if (event.kind === "text")
      return [...(event.isDelta ? [] : lines.end()), ...lines.add(event.text)];
    const shownLines = eventLines(event);
    return shownLines.length === 0 ? [] : [...lines.end(), ...shownLines];
  };
  return {
    push: (bytes) => reader.push(bytes).flatMap(shown),
    end: () => [...reader.end().flatMap(shown), ...lines.end()],
  };
}

/** An unterminated line is shown in pieces of this length. */
const REST_CHARS_MAX = 4_000;

/** Joins pieces of text into lines. */
class WholeLines {
  #rest = "";

  add(text: string): readonly Sentence[] {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length <= REST_CHARS_MAX) return lines.map(textLine);
    lines.push(this.#rest);
    this.#rest = "";
    return lines.map(textLine);
  }

  end(): readonly Sentence[] {
    const rest = this.#rest;
    this.#rest = "";
    return rest === "" ? [] : [textLine(rest)];
  }
}
