import {
  ExecutorRefused,
  ExecutorUnreachable,
  PlaceGone,
  type ExecutorFailure,
} from "../../base/ports/executor.ts";
import type { Web, WebAnswer, WebLink, WebMessage, HttpRequest } from "../../base/ports/web.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { READER_ARGV } from "./carried-words.ts";

/** Within what time an answer, or the opening of a connection, has to come: a cold sprite takes 1 to 2 seconds. */
const ANSWER_MS_MAX = 60_000;
/** What makes a sprite, keeps its state, or goes back, takes longer. */
const SLOW_MS_MAX = 10 * 60_000;
/** What is shown of an answer. */
const SAID_CHARS_MAX = 200;

const TOKEN_HINT =
  "Set SPRITE_TOKEN (or SPRITES_TOKEN) to a token of your organization, then run the same command again.";

/** How the service is reached. */
export interface SpritesAccess {
  /** As a person writes it after `--on`. */
  readonly name: string;
  /** Goes only into the header `Authorization`. */
  readonly token: string;
  /** The address of the service. */
  readonly baseUrl: string;
  /** How often the service is asked for a sign of life, in milliseconds. */
  readonly pingMs: number;
}

type Answered<T> = Promise<Result<T, ExecutorFailure>>;

/** The requests to the service of Sprites that an executor needs. */
export class SpritesApi {
  readonly #web: Web;
  readonly #access: SpritesAccess;

  constructor(web: Web, access: SpritesAccess) {
    this.#web = web;
    this.#access = access;
  }

  /** Sends a request about a sprite, or about all if `sprite` is empty, and returns the body of a good answer. */
  async ask(
    method: HttpRequest["method"],
    sprite: string,
    { path = "", body }: { readonly path?: string; readonly body?: object } = {},
  ): Answered<string> {
    const unfit = this.#unfit();
    if (unfit !== undefined) return this.refuse(unfit, TOKEN_HINT);
    const answer = await this.#web.ask({
      ...{ url: `${this.#urlOf(sprite)}${path}`, method },
      headers: { ...this.#headers(), "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      timeoutMs: method === "POST" ? SLOW_MS_MAX : ANSWER_MS_MAX,
    });
    if (!answer.ok) return this.unreachable(answer.failure.detail);
    const { status } = answer.value;
    return status >= 200 && status < 300
      ? ok(answer.value.body)
      : fail(this.#failureOf(answer.value, sprite));
  }

  /** Sends a request whose answer are lines of progress; without the last of them it was cut off. */
  async follow(sprite: string, path: string, body?: object): Answered<void> {
    const answer = await this.ask("POST", sprite, body === undefined ? { path } : { path, body });
    if (!answer.ok) return answer;
    const events = answer.value.split("\n").flatMap(eventIn);
    const failed = events.find(({ type }) => type === "error");
    if (failed !== undefined) return this.refuse(this.#clean(failed.error ?? "it failed"));
    const isWhole = events.some(({ type }) => type === "complete");
    return isWhole ? ok(undefined) : this.unreachable("the report of progress was cut off");
  }

  /** Opens a connection on which a sprite runs `READER_ARGV`. */
  async open(
    sprite: string,
    onMessage: (message: WebMessage) => void | Promise<void>,
  ): Answered<WebLink> {
    const unfit = this.#unfit();
    if (unfit !== undefined) return this.refuse(unfit, TOKEN_HINT);
    const query = new URLSearchParams();
    for (const word of READER_ARGV) query.append("cmd", word);
    query.append("path", READER_ARGV[0]);
    query.append("stdin", "true");
    const { pingMs } = this.#access;
    const opened = await this.#web.open({
      ...{ url: `${this.#urlOf(sprite)}/exec?${query.toString()}`, headers: this.#headers() },
      ...{ timeoutMs: ANSWER_MS_MAX, pingMs, silentMsMax: 3 * pingMs, onMessage },
    });
    if (opened.ok) return opened;
    const { failure } = opened;
    return failure.kind === "cut"
      ? this.unreachable(failure.detail)
      : fail(this.#failureOf(failure, sprite));
  }

  /** A refusal in the name of this executor. */
  refuse(detail: string, hint?: string): Result<never, ExecutorFailure> {
    return fail(ExecutorRefused({ executor: this.#access.name, detail, hint }));
  }

  /** A broken link of this executor. */
  unreachable(detail: string): Result<never, ExecutorFailure> {
    return fail(ExecutorUnreachable({ executor: this.#access.name, detail: this.#clean(detail) }));
  }

  #urlOf(sprite: string): string {
    const base = `${this.#access.baseUrl.replace(/\/+$/, "")}/v1/sprites`;
    return sprite === "" ? base : `${base}/${encodeURIComponent(sprite)}`;
  }

  #headers(): Readonly<Record<string, string>> {
    return { Authorization: `Bearer ${this.#access.token}` };
  }

  /** Why the token must not be sent. */
  #unfit(): string | undefined {
    const { token, baseUrl } = this.#access;
    if (!/^[!-~]+$/.test(token)) return "there is no token that could be sent";
    const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
    const isHere = ["127.0.0.1", "[::1]", "localhost"].includes(url?.hostname ?? "");
    if (url?.protocol === "https:" || (url?.protocol === "http:" && isHere)) return undefined;
    return `the token is not sent to ${baseUrl}, which is no https address`;
  }

  #failureOf({ status, body }: WebAnswer, sprite: string): ExecutorFailure {
    const executor = this.#access.name;
    const said = this.#clean(messageIn(body));
    const detail = said === "" ? `the service answered ${status}` : `${said} (${status})`;
    if (status === 401 || status === 403) {
      return ExecutorRefused({ executor, detail, hint: TOKEN_HINT });
    }
    if (status === 404 && sprite !== "") return PlaceGone({ executor, place: sprite });
    const mayPass = status >= 500 || status === 408 || status === 429;
    return mayPass
      ? ExecutorUnreachable({ executor, detail })
      : ExecutorRefused({ executor, detail });
  }

  /** A server may repeat what it was sent. */
  #clean(text: string): string {
    return text.replaceAll(this.#access.token, "…").slice(0, SAID_CHARS_MAX);
  }
}

interface ProgressEvent {
  readonly type: unknown;
  readonly error?: string;
}

function eventIn(line: string): readonly ProgressEvent[] {
  const read = parsedJson(line);
  if (typeof read !== "object" || read === null || !("type" in read)) return [];
  return "error" in read ? [{ type: read.type, error: String(read.error) }] : [{ type: read.type }];
}

function messageIn(body: string): string {
  const read = parsedJson(body);
  if (typeof read === "object" && read !== null) {
    if ("message" in read && typeof read.message === "string") return read.message;
    if ("error" in read && typeof read.error === "string") return read.error;
  }
  return body.trim().split("\n")[0] ?? "";
}

/** What a text says as JSON; `undefined` if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
