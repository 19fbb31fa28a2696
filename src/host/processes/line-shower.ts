import { cleanText } from "../../base/words/clean-text.ts";

/** A line that is longer is shown in several. */
const LINE_CHARS_MAX = 2_000;
/** The lines that are kept to be said again. */
const LAST_LINES = 3;
/** After this time without more, a line that has not ended is shown: it may be a question. */
const QUIET_MS = 300;

/** Shows the output of a program as it comes, line by line, made safe to print and indented. */
export class LineShower {
  readonly #tell: (text: string) => void;
  #rest = "";
  #last: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  /** The last lines with text. */
  get last(): string {
    return this.#last.join(" | ");
  }

  take(text: string): void {
    clearTimeout(this.#timer);
    const lines = `${this.#rest}${text}`.split(/\r\n|\n/u);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#show(line);
    if (this.#rest.length > LINE_CHARS_MAX) this.#flush();
    else if (this.#rest !== "") this.#timer = setTimeout(() => this.#flush(), QUIET_MS);
  }

  /** Shows what is left. */
  end(): void {
    clearTimeout(this.#timer);
    this.#flush();
  }

  #flush(): void {
    const line = this.#rest;
    this.#rest = "";
    if (line !== "") this.#show(line);
  }

  #show(line: string): void {
    for (let at = 0; at === 0 || at < line.length; at += LINE_CHARS_MAX) {
      const piece = line.slice(at, at + LINE_CHARS_MAX);
      const clean = cleanText(piece, { charsMax: LINE_CHARS_MAX, lines: "many" });
      this.#tell(clean.replace(/^/gmu, "  ").trimEnd());
      if (clean.trim() !== "") this.#last = [...this.#last, clean.trim()].slice(-LAST_LINES);
    }
  }
}
