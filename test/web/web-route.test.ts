import fc from "fast-check";
import { expect, test } from "vitest";
import { routeOf, type WebRequest } from "../../src/web/web-route.ts";

const HOST = "127.0.0.1:7070";
const OWN = `http://${HOST}`;
const EVENTS: WebRequest = {
  method: "GET",
  target: "/events?key=k&session=a%2Frevision-1",
  hosts: [HOST],
  origins: [],
  sites: ["same-origin"],
};

test("events name the key and the session that they are asked for with", () => {
  expect(routeOf(EVENTS, HOST)).toEqual({ kind: "events", key: "k", session: "a/revision-1" });
  const bare = { ...EVENTS, target: "/events", origins: [OWN], sites: [] };
  expect(routeOf(bare, HOST)).toEqual({ kind: "events", key: "", session: undefined });
});

test("the page itself may be reached from anywhere, but under its own address only", () => {
  const page = { ...EVENTS, target: "/", sites: ["cross-site"] };
  expect(routeOf(page, HOST)).toEqual({ kind: "page" });
  expect(routeOf({ ...page, hosts: ["evil.example:7070"] }, HOST)).toBeUndefined();
  expect(routeOf({ ...page, hosts: [] }, HOST)).toBeUndefined();
  expect(routeOf({ ...page, hosts: [HOST, HOST] }, HOST)).toBeUndefined();
});

test("nothing opens with a host, an origin or a site that is not exactly the own one", () => {
  const near = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "localhost:7070",
      "127.0.0.1",
      "127.0.0.1:70700",
      "127.0.0.1:7070.evil.example",
    ),
    fc.string().map((rest) => HOST + rest),
    fc.string().map((rest) => rest + HOST),
  );
  fc.assert(
    fc.property(near, fc.constantFrom("host", "origin", "site"), (text, which) => {
      const asked: WebRequest = {
        ...EVENTS,
        ...(which === "host" && { hosts: [text] }),
        ...(which === "origin" && { origins: [`http://${text}`] }),
        ...(which === "site" && { sites: [text] }),
      };
      const isOwn = text === HOST || (which === "site" && text === "same-origin");
      expect(routeOf(asked, HOST) !== undefined).toBe(
        isOwn && !(which === "site" && text === HOST),
      );
    }),
  );
});

test("only GET of the page and the events, and POST of the token, lead anywhere", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("GET", "POST", "PUT", "HEAD", "OPTIONS", "TRACE", "get"),
      fc.constantFrom(
        "/",
        "/enter",
        "/events",
        "/enter?",
        "//",
        "/events/",
        "*",
        "",
        "/index.html",
      ),
      (method, target) => {
        const route = routeOf({ ...EVENTS, method, target }, HOST);
        const known = ["GET /", "POST /enter", "GET /events"].includes(`${method} ${target}`);
        expect(route !== undefined).toBe(known);
      },
    ),
  );
});
