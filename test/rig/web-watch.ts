import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { eventually } from "./patience.ts";
import type { ProcessSession } from "./process-session.ts";

const LINK = /http:\/\/127\.0\.0\.1:(\d+)\/#([\w-]+)/u;

/** A `wisp watch --web` in a terminal of its own. */
export interface WebWatch extends AsyncDisposable {
  readonly link: string;
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** The server's process, not the terminal's. */
  readonly pid: number;
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>;
}

/** Starts it in the repository of a session, and waits for its link. */
export async function startWebWatch(
  session: ProcessSession,
  ...words: readonly string[]
): Promise<WebWatch> {
  const { repository: cwd, env } = session;
  const argv = [process.execPath, session.program, "watch", "--web", ...words];
  const line = argv.map((word) => `'${word}'`).join(" ");
  // script(1) of util-linux: a terminal whose screen it writes to our pipe.
  const child = spawn("script", ["-qefc", `exec ${line}`, "/dev/null"], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close").then(() => child.exitCode);
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  const [link, port, token] = await eventually(() => {
    const found = LINK.exec(shown);
    if (found === null && child.exitCode === null) throw new Error("no link is shown yet");
    return found ?? ["", "", ""];
  });
  if (link === "") throw new Error(shown);
  const pid = Number(
    session
      .leftovers()
      .find((process) => process.includes(`${session.program} watch --web`))
      ?.split(" ")[0],
  );
  return {
    ...{ link, port: Number(port), token, pid, ended, host: `127.0.0.1:${port}` },
    async [Symbol.asyncDispose]() {
      // Not the terminal: script(1) waits for its command, whatever signal it gets.
      if (child.exitCode === null) endIfThere(pid);
      await ended;
    },
  };
}

/** The terminal may have waited for a process that has ended, and not have ended itself. */
function endIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** What a client other than a browser asks for. */
export interface WebRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The answer to it. */
export interface WebAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** Asks for something, each time on a connection of its own, and reads the answer to its end. */
export function askWeb(
  { port }: Pick<WebWatch, "port">,
  { method = "GET", path = "/", headers = {}, body }: WebRequest = {},
): Promise<WebAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: "127.0.0.1", port, method, path, headers, agent: new Agent() },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      },
    );
    asked.on("error", reject).end(body);
  });
}

/** What lets a client in. */
export interface Admitted {
  readonly cookie: string;
  readonly key: string;
}

/** Uses the link. */
export async function enterWeb(web: WebWatch): Promise<Admitted> {
  const answer = await askWeb(web, { method: "POST", path: "/enter", body: web.token });
  const [set = ""] = answer.headers["set-cookie"] ?? [];
  return { cookie: set.split(";")[0] ?? "", key: answer.body };
}

/** A client that is sent events, on a bare connection. */
export interface Follower extends Disposable {
  readonly socket: Socket;
  /** All that was read so far. */
  readonly text: () => string;
  /** Waits until it has read a text. */
  readonly reads: (text: string) => Promise<void>;
}

/** Has events sent, of a session or of the one that is shown first. */
export function followWeb(
  { port, host }: Pick<WebWatch, "port" | "host">,
  { cookie, key }: Admitted,
  session?: string,
): Follower {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.setEncoding("utf8").on("data", (part: Buffer | string) => {
    text += String(part);
  });
  socket.on("error", () => undefined);
  const query = new URLSearchParams({ key, ...(session !== undefined && { session }) });
  const lines = [`GET /events?${query.toString()} HTTP/1.1`, `Host: ${host}`, `Cookie: ${cookie}`];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  return {
    socket,
    text: () => text,
    reads: (awaited) =>
      eventually(() => {
        if (!text.includes(awaited)) {
          throw new Error(`never read ${awaited}, only ${String(text.length)} characters`);
        }
      }),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}
