import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import { z } from "zod";
import { ownEnvironment } from "../rig/own-environment.ts";

/** What goes wrong at the double. */
export interface SpriteFaults {
  /** Every request is answered with this status. */
  status?: number | undefined;
  /** The answer to the next request to make a sprite is lost, after the sprite was made. */
  losesMade?: boolean | undefined;
  /** Connections stay open, and nothing more is sent on them, not even a sign of life. */
  isMute?: boolean | undefined;
  /** A connection is cut when so many bytes of standard output were sent on it. */
  cutAfterBytes?: number | undefined;
  /** The report of progress ends before its last line. */
  cutsReports?: boolean | undefined;
}

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
}

/** A double of the service of Sprites, as its documentation and its client have it. */
export interface SpritesDouble {
  readonly baseUrl: string;
  readonly token: string;
  /** Below which the sprites' files are. */
  readonly directory: string;
  readonly faults: SpriteFaults;
  readonly seen: readonly Seen[];
  /** The names of the sprites that there are. */
  readonly names: () => readonly string[];
  /** Below which the files are that a checkpoint of a sprite keeps. */
  readonly keptIn: (name: string, checkpoint: string) => string;
  /** Where the sprites' own service listens, and which requests it has had. */
  readonly awakeSocket: string;
  readonly awakeSeen: readonly string[];
  /** Ends all processes of all sprites, as sleep does when it gets deep. */
  readonly goCold: () => void;
  readonly close: () => Promise<void>;
}

/** Starts the double on a free port of this machine. Commands are processes of this machine, in a folder. */
export async function openSprites(): Promise<SpritesDouble> {
  const folder = await mkdtemp(join(tmpdir(), "wisp-sprites-"));
  const service = new Service(folder);
  const server = createServer((request, response) => void service.answer(request, response));
  server.on("upgrade", (request, socket, first: Buffer) => service.upgrade(request, socket, first));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = z.object({ port: z.number() }).parse(server.address());

  const awakeSeen: string[] = [];
  const awakeSocket = join(folder, "api.sock");
  const awake = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      awakeSeen.push(`${request.method ?? ""} ${request.url ?? ""} ${body}`.trim());
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => awake.listen(awakeSocket, resolve));
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    ...{ token: service.token, directory: folder, faults: service.faults, seen: service.seen },
    ...{ awakeSocket, awakeSeen },
    names: () => service.names(),
    keptIn: (name, checkpoint) => service.keptIn(name, checkpoint),
    goCold: () => service.goCold(),
    async close() {
      for (const open of [server, awake]) open.closeAllConnections();
      service.endAll();
      for (const open of [server, awake]) await new Promise((resolve) => open.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Kept {
  readonly id: string;
  readonly comment: string;
}

class Service {
  readonly token = "an-org/12/token-id/a-secret-value";
  readonly faults: SpriteFaults = {};
  readonly seen: Seen[] = [];
  readonly #folder: string;
  readonly #mark = `WISP_SPRITES_DOUBLE=${process.pid}-${Math.random()}`;
  readonly #sprites = new Map<string, { status: string; kept: Kept[] }>();
  readonly #websockets = new WebSocketServer({ noServer: true, autoPong: false });

  constructor(folder: string) {
    this.#folder = folder;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const refused = this.#refusal(request);
    if (refused !== undefined) {
      send(response, refused, { error: "refused", message: `refused ${this.token}` });
      return;
    }
    const [, , , name = "", ...rest] = (request.url ?? "").split("/");
    const { method = "" } = request;
    if (name === "") this.#make(response, body);
    else if (!this.#sprites.has(name)) send(response, 404, { error: "sprite not found" });
    else if (rest.length === 0 && method === "DELETE") await this.#remove(response, name);
    else if (rest.length === 0) send(response, 200, { name, ...this.#sprites.get(name) });
    else await this.#checkpoints(response, name, { rest, body });
  }

  upgrade(request: IncomingMessage, socket: Duplex, first: Buffer): void {
    const url = new URL(request.url ?? "", "http://double");
    const name = url.pathname.split("/")[3] ?? "";
    const sprite = this.#sprites.get(name);
    const refused = this.#refusal(request) ?? (sprite === undefined ? 404 : undefined);
    if (refused !== undefined || sprite === undefined) {
      socket.end(`HTTP/1.1 ${refused ?? 404} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    sprite.status = "running";
    this.#websockets.handleUpgrade(request, socket, first, (websocket) =>
      this.#run(websocket, url.searchParams.getAll("cmd")),
    );
  }

  names(): readonly string[] {
    return [...this.#sprites.keys()];
  }

  keptIn(name: string, checkpoint: string): string {
    return join(this.#folder, `.${name}-${checkpoint}`);
  }

  goCold(): void {
    this.endAll();
    for (const sprite of this.#sprites.values()) sprite.status = "cold";
  }

  endAll(): void {
    for (const websocket of this.#websockets.clients) websocket.terminate();
    killWhere((variables) => variables.includes(this.#mark));
  }

  #refusal(request: IncomingMessage): number | undefined {
    const { method = "", url = "", headers } = request;
    this.seen.push({ method, url, authorization: headers.authorization });
    if (headers.authorization !== `Bearer ${this.token}`) return 401;
    return this.faults.status;
  }

  #make(response: ServerResponse, body: string): void {
    const { name } = z.object({ name: z.string() }).parse(JSON.parse(body));
    if (this.#sprites.has(name)) {
      send(response, 409, { error: "exists" });
      return;
    }
    this.#sprites.set(name, { status: "cold", kept: [] });
    if (this.faults.losesMade === true) response.destroy();
    else send(response, 201, { name, status: "cold" });
  }

  async #remove(response: ServerResponse, name: string): Promise<void> {
    const place = `WISP_PLACE=${join(this.#folder, name)}`;
    killWhere((variables) => variables.includes(this.#mark) && variables.includes(place));
    await rm(join(this.#folder, name), { recursive: true, force: true });
    this.#sprites.delete(name);
    response.writeHead(204).end();
  }

  async #checkpoints(
    response: ServerResponse,
    name: string,
    { rest, body }: { readonly rest: readonly string[]; readonly body: string },
  ): Promise<void> {
    const kept = this.#sprites.get(name)?.kept ?? [];
    const root = join(this.#folder, name);
    const [word = "", id = ""] = rest;
    if (word === "checkpoint") {
      const { comment } = z.object({ comment: z.string() }).parse(JSON.parse(body));
      const made = `v${kept.length}`;
      await cp(root, this.keptIn(name, made), { recursive: true });
      kept.push({ id: made, comment });
      this.#report(response, `Checkpoint ${made} created`);
    } else if (id === "") {
      send(response, 200, [...kept, { id: "Current" }]);
    } else if (kept.some((one) => one.id === id)) {
      killWhere((variables) => variables.includes(this.#mark));
      await rm(root, { recursive: true, force: true });
      await cp(this.keptIn(name, id), root, { recursive: true });
      this.#report(response, "Restored");
    } else {
      send(response, 404, { error: "checkpoint not found" });
    }
  }

  #report(response: ServerResponse, data: string): void {
    const begun = `${JSON.stringify({ type: "info", data: "begun" })}\n`;
    const last = `${JSON.stringify({ type: "complete", data })}\n`;
    response.end(this.faults.cutsReports === true ? begun : `${begun}${last}`);
  }

  #run(websocket: WebSocket, [executable = "", ...words]: readonly string[]): void {
    const [markName = "", markValue = ""] = this.#mark.split("=");
    const env = ownEnvironment({ HOME: this.#folder, [markName]: markValue });
    const child = spawn(executable, words, { cwd: this.#folder, env, detached: true });
    const kill = () => killGroup(child.pid);
    const say = (stream: number, payload: Uint8Array, then?: () => void) => {
      const isMute = this.faults.isMute === true;
      if (!isMute) websocket.send(Buffer.concat([Buffer.from([stream]), payload]), then);
    };
    let sent = 0;
    child.stdout.on("data", (bytes: Uint8Array) => {
      const left = (this.faults.cutAfterBytes ?? Infinity) - sent;
      sent += bytes.length;
      child.stdout.pause();
      say(1, bytes.subarray(0, Math.max(0, left)), () => {
        if (sent >= (this.faults.cutAfterBytes ?? Infinity)) websocket.terminate();
        child.stdout.resume();
      });
    });
    child.stderr.on("data", (bytes: Uint8Array) => say(2, bytes));
    child.stdin.on("error", () => undefined);
    child.on("close", (code) => {
      say(3, Buffer.from([code ?? 137]));
      if (this.faults.isMute !== true) websocket.close(1000);
    });
    websocket.on("close", kill);
    websocket.on("error", kill);
    websocket.on("ping", (payload) => {
      if (this.faults.isMute !== true) websocket.pong(payload);
    });
    websocket.on("message", (data, isBinary) => {
      const payload = z.instanceof(Buffer).parse(data);
      if (!isBinary && payload.toString().includes("SIGKILL")) kill();
      if (isBinary && payload[0] === 0) child.stdin.write(payload.subarray(1));
      if (isBinary && payload[0] === 4) child.stdin.end();
    });
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}

/** Kills every process of this machine whose environment is meant. */
function killWhere(isMeant: (variables: readonly string[]) => boolean): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      if (Number(pid) !== process.pid && isMeant(variables)) process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended meanwhile, or is not ours.
    }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
