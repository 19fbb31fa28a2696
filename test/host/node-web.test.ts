import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { z } from "zod";
import {
  WEB_MESSAGE_BYTES_MAX,
  type WebMessage,
  type WebSocketRequest,
} from "../../src/base/ports/web.ts";
import { nodeWeb } from "../../src/host/web/node-web.ts";
import { eventually } from "../rig/patience.ts";

let server: Server;
let websockets: WebSocketServer;
beforeEach(async () => {
  server = createServer();
  websockets = new WebSocketServer({ noServer: true });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  for (const websocket of websockets.clients) websocket.terminate();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function request(more: Partial<WebSocketRequest> = {}): WebSocketRequest {
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const times = { timeoutMs: 60_000, pingMs: 60_000, silentMsMax: 60_000 };
  return {
    ...{ url: `http://127.0.0.1:${port}`, headers: {}, ...times, onMessage: () => undefined },
    ...more,
  };
}

/** Opens a link, and returns both of its ends. */
async function openBoth(more: Partial<WebSocketRequest> = {}) {
  const accepted = new Promise<WebSocket>((resolve) => {
    server.once("upgrade", (asked, socket, first) => {
      websockets.handleUpgrade(asked, socket, first, resolve);
    });
  });
  const opened = await nodeWeb.open(request(more));
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return { link: opened.value, other: await accepted };
}

test("a link receives messages in order, one after another, and tells texts from bytes", async () => {
  const received: WebMessage[] = [];
  let receiving = 0;
  const { link, other } = await openBoth({
    async onMessage(message) {
      expect((receiving += 1)).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      received.push(message);
      receiving -= 1;
    },
  });
  const sent = Array.from({ length: 100 }, (_, at) =>
    at % 2 === 0 ? `é${at}` : Buffer.from([at]),
  );
  for (const message of sent) other.send(message);
  other.close();
  expect(await link.ended).toBe("the connection was closed");
  expect(received).toEqual(sent);
});

test("a link reads nothing while a message is being received", async () => {
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  let received = 0;
  const { other } = await openBoth({
    async onMessage() {
      received += 1;
      await held;
    },
  });
  for (let at = 0; at < 64; at += 1) other.send(Buffer.alloc(1024 * 1024));
  let left = Infinity;
  await eventually(() => expect(received).toBe(1));
  await eventually(() => {
    const before = left;
    left = other.bufferedAmount;
    expect(left).toBe(before);
  });
  expect(left).toBeGreaterThan(0);
  expect(received).toBe(1);
  go();
  await eventually(() => expect(received).toBe(64));
});

test("an opening that is refused tells the status and the body", async () => {
  server.on("upgrade", (_asked, socket) => {
    socket.end("HTTP/1.1 418 No\r\nContent-Length: 3\r\nConnection: close\r\n\r\nwhy");
  });
  expect(await nodeWeb.open(request())).toEqual({
    ok: false,
    failure: { kind: "answered", status: 418, body: "why" },
  });
});

test("an opening that takes too long is given up, even if the server goes on saying a little", async () => {
  server.on("upgrade", (_asked, socket) => {
    socket.on("error", () => undefined).write("HTTP/1.1 403 No\r\n\r\n");
    const talk = () => {
      if (!socket.destroyed) socket.write("x", () => setImmediate(talk));
    };
    talk();
  });
  expect(await nodeWeb.open(request({ timeoutMs: 500 }))).toEqual({
    ok: false,
    failure: { kind: "cut", detail: "no answer in time" },
  });
});

test("a message that is longer than is accepted ends a link", async () => {
  const { link, other } = await openBoth();
  other.send(Buffer.alloc(WEB_MESSAGE_BYTES_MAX + 1));
  expect(await link.ended).toMatch(/max payload size/i);
});

test("a link that is closed ends soon, even if the other side does not agree", async () => {
  const { link, other } = await openBoth();
  other.pause();
  const closedMs = Date.now();
  link.close();
  await link.ended;
  // Without a limit of ours, the package waits for 30 seconds.
  expect(Date.now() - closedMs).toBeLessThan(20_000);
  await link.send("is dropped");
});

test("a mistake of a receiver ends the link, and is told", async () => {
  const mistake = new TypeError("a mistake");
  const { link, other } = await openBoth({ onMessage: () => Promise.reject(mistake) });
  other.send("a message");
  await expect(link.ended).rejects.toBe(mistake);
});
