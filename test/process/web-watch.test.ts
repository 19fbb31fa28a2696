import { appendFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { WEB_BODY_BYTES_MAX, WEB_HEADERS_BYTES_MAX, WEB_PAGES_MAX } from "../../src/base/limits.ts";
import { eventually, signsIn } from "../rig/patience.ts";
import { oneTask, put, replaySession } from "../rig/replay-session.ts";
import type { ProcessSession } from "../rig/process-session.ts";
import {
  askWeb,
  enterWeb,
  followWeb,
  startWebWatch,
  type Admitted,
  type WebWatch,
} from "../rig/web-watch.ts";

/*
 * Who is let in by `wisp watch --web`, who is not, and what a bad client can do: nothing to the others.
 */

const ID = "task";
const OTHER = "other";

let session: ProcessSession;
let web: WebWatch;

beforeAll(async () => {
  session = replaySession({ turns: oneTask("Say hello", put("hello.txt", "hello\n")) });
  for (const id of [OTHER, ID]) {
    const words = ["start", "request.md", "--branch", `wisp/${id}`, "--no-up", "--yes"];
    expect(await session.wisp(...words)).toMatchObject({ code: 0 });
  }
});
beforeEach(async () => {
  web = await startWebWatch(session);
});
afterEach(() => web[Symbol.asyncDispose]());
afterAll(() => session[Symbol.asyncDispose]());

/** Records that a role crashed: a mark of the timeline. */
function recordCrashes(reason: string, count = 1): void {
  const time = new Date().toISOString();
  const line = `${time} role.exit role=builder code=1 reason=${reason}\n`;
  appendFileSync(join(session.home(ID), "logs", "supervisor.log"), line.repeat(count));
}

function eventsPath({ key }: Admitted): string {
  return `/events?key=${key}`;
}

test("the link is used once: a second time, like a wrong token, it opens nothing", async () => {
  const wrong = web.token.replace(/.$/u, (last) => (last === "A" ? "B" : "A"));
  for (const body of [wrong, "", "x".repeat(43)]) {
    const refused = await askWeb(web, { method: "POST", path: "/enter", body });
    expect([refused.status, refused.headers["set-cookie"]]).toEqual([403, undefined]);
  }
  const entered = await askWeb(web, { method: "POST", path: "/enter", body: web.token });
  expect(entered.status).toBe(200);
  expect(entered.headers["set-cookie"]).toEqual([
    expect.stringMatching(/^wisp-watch-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/u),
  ]);
  const again = await askWeb(web, { method: "POST", path: "/enter", body: web.token });
  expect([again.status, again.headers["set-cookie"]]).toEqual([403, undefined]);
});

test("only the cookie and the key together open the events; neither is the token", async () => {
  const before = await askWeb(web, { path: `/events?key=${web.token}` });
  expect(before.status).toBe(403);
  const admitted = await enterWeb(web);
  const name = admitted.cookie.split("=")[0] ?? "";
  for (const [cookie, key] of [
    ["", admitted.key],
    [admitted.cookie, ""],
    [`${name}=${web.token}`, admitted.key],
    [admitted.cookie, web.token],
    [`${name}=`, ""],
  ] as const) {
    const refused = await askWeb(web, { path: `/events?key=${key}`, headers: { cookie } });
    expect([cookie, key, refused.status]).toEqual([cookie, key, 403]);
  }
  using follower = followWeb(web, admitted);
  await follower.reads("event: report");
  await follower.reads("event: sessions");
  expect(follower.text()).toContain(`"session":"${ID}"`);
});

test("another host, another origin and another site are refused, whatever they ask for", async () => {
  const admitted = await enterWeb(web);
  const { cookie } = admitted;
  const own = `http://${web.host}`;
  const asked = [
    { method: "POST", path: "/enter", body: web.token },
    { path: eventsPath(admitted), headers: { cookie } },
  ];
  for (const one of asked) {
    for (const headers of [
      { host: "evil.example" },
      { host: `evil.example:${String(web.port)}` },
      { host: `localhost:${String(web.port)}` },
      { host: "127.0.0.1" },
      { host: `${web.host}.evil.example` },
      { origin: "http://evil.example" },
      { origin: "null" },
      { origin: `http://127.0.0.1:${String(web.port + 1)}` },
      { origin: `https://${web.host}` },
      { origin: own, "sec-fetch-site": "same-site" },
      { origin: own, "sec-fetch-site": "cross-site" },
    ]) {
      const refused = await askWeb(web, { ...one, headers: { ...one.headers, ...headers } });
      expect([headers, refused.status, refused.body]).toEqual([headers, 403, "Refused.\n"]);
    }
  }
  const page = await askWeb(web, { headers: { host: "evil.example" } });
  expect([page.status, page.body]).toEqual([403, "Refused.\n"]);
});

test("nothing but the page, the link and the events can be asked for", async () => {
  const admitted = await enterWeb(web);
  const headers = { cookie: admitted.cookie };
  for (const one of [
    { method: "PUT", path: "/" },
    { method: "DELETE", path: eventsPath(admitted) },
    { method: "POST", path: eventsPath(admitted) },
    { method: "POST", path: "/" },
    { method: "OPTIONS", path: "*" },
    { method: "GET", path: "/enter" },
    { path: "/.wisp/current/logs/builder.log" },
    { path: "/../../etc/passwd" },
    { path: "//evil.example/" },
    { path: "http://evil.example/" },
  ]) {
    expect([one, (await askWeb(web, { ...one, headers })).status]).toEqual([one, 403]);
  }
});

test("the page is sent with a policy that names its scripts, is kept nowhere, and holds nothing of a session", async () => {
  const { status, headers, body } = await askWeb(web);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
  });
  const policy = String(headers["content-security-policy"]);
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-\S+'; script-src ('sha256-\S+' ?)+;/u,
  );
  for (const part of ["connect-src 'self'", "base-uri 'none'", "form-action 'none'"]) {
    expect(policy).toContain(part);
  }
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect(body).not.toContain(ID);
  expect(body).not.toContain(web.token);
});

test("what is too long is refused, and what is no request at all ends its connection", async () => {
  const body = "x".repeat(WEB_BODY_BYTES_MAX + 1);
  const long = await askWeb(web, { method: "POST", path: "/enter", body });
  expect(long.status).toBe(413);
  const filled = { filler: "x".repeat(WEB_HEADERS_BYTES_MAX) };
  expect((await askWeb(web, { headers: filled })).status).toBe(431);
  const socket = connect(web.port, "127.0.0.1");
  socket.write("\u0000\u0001 what is this\r\n\r\n");
  await new Promise((resolve) =>
    socket
      .on("close", resolve)
      .on("error", () => undefined)
      .resume(),
  );
  using follower = followWeb(web, await enterWeb(web));
  await follower.reads("event: report");
});

test("a page too many is refused, and let in when another one has gone", async () => {
  const admitted = await enterWeb(web);
  const followers = Array.from({ length: WEB_PAGES_MAX }, () => followWeb(web, admitted));
  for (const one of followers) await one.reads("event: report");
  const path = eventsPath(admitted);
  const headers = { cookie: admitted.cookie };
  expect((await askWeb(web, { path, headers })).status).toBe(503);
  followers.pop()?.[Symbol.dispose]();
  await eventually(async () => {
    using late = followWeb(web, admitted);
    await Promise.race([late.reads("event: report"), late.reads("503")]);
    expect(late.text()).not.toContain("503");
  });
  for (const one of followers) one[Symbol.dispose]();
});

test("a page that does not read, and one that dies, hold up no other; what is missed is skipped", async () => {
  const admitted = await enterWeb(web);
  using slow = followWeb(web, admitted);
  slow.socket.pause();
  using quick = followWeb(web, admitted);
  await quick.reads("event: report");
  const rounds = 12;
  for (let round = 0; round < rounds; round += 1) {
    const dead = followWeb(web, admitted);
    await dead.reads("event: report");
    dead.socket.resetAndDestroy();
    recordCrashes(`round-${String(round)}-of-them`, 1_000);
    await quick.reads(`round-${String(round)}-of-them`);
  }
  slow.socket.resume();
  await slow.reads(`round-${String(rounds - 1)}-of-them`);
  const reports = (text: string) => text.split("event: report").length - 1;
  expect(reports(quick.text())).toBeGreaterThan(rounds);
  expect(reports(slow.text())).toBeLessThan(reports(quick.text()));
});

test("it reads and never writes, and is gone without a trace when it is killed", async () => {
  const admitted = await enterWeb(web);
  const before = signsIn(session.root);
  const follower = followWeb(web, admitted);
  await follower.reads("event: sessions");
  expect(signsIn(session.root)).toBe(before);
  process.kill(web.pid, "SIGKILL");
  await web.ended;
  await eventually(() => {
    expect(follower.socket.closed).toBe(true);
  });
  expect(session.leftovers()).toEqual([]);
  expect(signsIn(session.root)).toBe(before);
  await expect(askWeb(web)).rejects.toThrow("ECONNREFUSED");
});

test.each(["SIGINT", "SIGTERM"] as const)("%s ends it, and pages are told so", async (signal) => {
  const follower = followWeb(web, await enterWeb(web));
  await follower.reads("event: sessions");
  process.kill(web.pid, signal);
  expect(await web.ended).toBe(0);
  expect(follower.text()).toContain("event: end");
  expect(session.leftovers()).toEqual([]);
});

test("the token is nowhere but on the terminal: not in a file, an argument or an environment", async () => {
  using follower = followWeb(web, await enterWeb(web));
  await follower.reads("event: sessions");
  const proc = `/proc/${String(web.pid)}`;
  for (const name of ["cmdline", "environ"]) {
    expect(readFileSync(join(proc, name), "utf8")).not.toContain(web.token);
  }
  for (const name of readdirSync(session.root, { recursive: true, encoding: "utf8" })) {
    const path = join(session.root, name);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    expect([name, readFileSync(path, "latin1").includes(web.token)]).toEqual([name, false]);
  }
});

test("where there is no session it says so, and shows the first one when it is created", async () => {
  await using empty = replaySession({ turns: [] });
  await using early = await startWebWatch(empty);
  using follower = followWeb(early, await enterWeb(early));
  await follower.reads("There is no session here yet");
  const words = ["start", "request.md", "--branch", "wisp/first", "--no-up", "--yes"];
  expect(await empty.wisp(...words)).toMatchObject({ code: 0 });
  await follower.reads('"session":"first"');
});

test("a session that is not there is named, and a revision of one is not mistaken for it", async () => {
  const admitted = await enterWeb(web);
  using follower = followWeb(web, admitted, `${ID}/revision-1`);
  await follower.reads(`There is no session ${ID}/revision-1 here any more`);
  await follower.reads("event: sessions");
  expect(follower.text()).not.toContain(`"session":"${ID}"`);
});

test("without a terminal nothing is started, and why is said", async () => {
  const ended = await session.wisp("watch", "--web");
  expect(ended).toMatchObject({ code: 4, stdout: "" });
  expect(ended.stderr).toContain("on a terminal only");
});

test("a port that is taken is named, and one that is none is a mistake", async () => {
  await expect(startedAt(String(web.port))).resolves.toMatch(/cannot listen at port \d+/u);
  const wrong = await session.wisp("watch", "--web", "--port", "65536");
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--port takes a number")]);
  const bare = await session.wisp("watch");
  expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining("--web")]);
});

/** What a `wisp watch --web` at a port that is taken says. */
async function startedAt(port: string): Promise<string> {
  const { message } = await startWebWatch(session, "--port", port).then(
    () => new Error("it started"),
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  return message;
}
