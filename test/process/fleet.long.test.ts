import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { eventually } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { farRoot } from "./far-files.ts";
import { ONE_TASK } from "./scenarios.ts";

const Entry = z.object({
  number: z.number(),
  request: z.string(),
  state: z.string(),
  session: z.string().optional(),
  tries: z.number(),
  reason: z.object({ code: z.string(), says: z.string() }).optional(),
});
const Starts = z.object({
  requests: z.array(z.object({ state: z.string(), session: z.string().optional() })),
});

/** Every entry of the queue. */
function entriesOf(rig: ProcessSession): readonly z.infer<typeof Entry>[] {
  const queue = join(rig.repository, ".wisp/queue");
  if (!existsSync(queue)) return [];
  const fleets = readdirSync(queue, { withFileTypes: true }).filter((one) => one.isDirectory());
  return fleets.flatMap(({ name }) =>
    readdirSync(join(queue, name))
      .filter((file) => /^\d+\.json$/u.test(file))
      .map((file) => Entry.parse(JSON.parse(readFileSync(join(queue, name, file), "utf8")))),
  );
}

/** Writes requests, and returns their paths. */
function requests(rig: ProcessSession, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => {
    const path = `requests/r${String(at + 1)}.md`;
    rig.write(path, `# Request ${String(at + 1)}\n\nSay hello number ${String(at + 1)}.\n`);
    return path;
  });
}

/** A scenario of which each build waits until its gate is opened; notes what has begun. */
function gated(): { readonly scenario: string; readonly gates: string } {
  const gates = mkdtempSync(join(tmpdir(), "wisp-gates-"));
  onTestFinished(() => rmSync(gates, { recursive: true }));
  const scenario = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    const { existsSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    while (!existsSync("GATES/go")) await setTimeout(20);
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;
  return { scenario: scenario.replaceAll("GATES", gates), gates };
}

const started = (rig: ProcessSession) => entriesOf(rig).filter(({ state }) => state === "started");

/** The processes that work off the queue or start sessions. */
function starters(rig: ProcessSession): readonly number[] {
  return rig
    .leftovers()
    .filter((line) => /wisp\.js (?:queue|start)\b/u.test(line))
    .map((line) => Number(line.split(" ")[0]));
}

test("five requests are worked off two at a time here, then three, though all that starts them is killed in the middle", async () => {
  const { scenario, gates } = gated();
  await using rig = processSession({ scenario });
  const paths = requests(rig, 5);
  const first = rig.spawn("start", ...paths, "--max", "2", "--yes");
  await eventually(() => expect(started(rig).length).toBeGreaterThan(0));
  first.kill("SIGKILL");
  for (const pid of starters(rig)) process.kill(pid, "SIGKILL");
  await eventually(() => expect(starters(rig)).toEqual([]));

  const again = await rig.wisp("start", ...paths, "--max", "2", "--yes", "--json");
  expect(again).toMatchObject({ code: 0 });
  const { requests: told } = Starts.parse(JSON.parse(again.stdout));
  expect(told.map(({ state }) => state)).toEqual([
    ...["started", "started", "waiting", "waiting", "waiting"],
  ]);
  expect(readdirSync(join(rig.repository, ".wisp/sessions"))).toHaveLength(2);
  expect(rig.git("status", "--porcelain", ".wisp")).toBe("");

  const more = await rig.wisp("start", ...paths, "--max", "3", "--yes", "--json");
  const states = Starts.parse(JSON.parse(more.stdout)).requests.map(({ state }) => state);
  expect(states).toEqual(["started", "started", "started", "waiting", "waiting"]);
  expect(readdirSync(join(rig.repository, ".wisp/sessions"))).toHaveLength(3);

  writeFileSync(join(gates, "go"), "");
  await eventually(() => expect(started(rig)).toHaveLength(5), {
    signs: () => rig.leftovers().join("\n"),
  });
  const sessions = started(rig).map(({ session }) => session);
  expect(new Set(sessions).size).toBe(5);
  expect(readdirSync(join(rig.repository, ".wisp/sessions"))).toHaveLength(5);
  for (const session of sessions) {
    await eventually(() => expect(rig.read("logs/builder.done", session)).toContain("complete|"));
  }
  await eventually(() => expect(starters(rig)).toEqual([]));
});

test("after everything was killed, a queue takes up its sessions, so that what waits for them begins, but not one that a person stopped", async () => {
  const { scenario, gates } = gated();
  await using rig = processSession({ scenario });
  const paths = requests(rig, 4);
  await rig.wisp("start", ...paths, "--max", "3", "--yes");
  await eventually(() => expect(started(rig)).toHaveLength(3));
  const [first = "", second = "", third = ""] = started(rig).map(({ session }) => session);
  const log = (session: string) => rig.read("logs/builder.log", session);
  for (const session of [first, second, third]) {
    await eventually(() => expect(log(session)).toContain("turn.begin"));
  }
  await rig.wisp("stop", third);
  await rig.killAll();
  writeFileSync(join(gates, "go"), "");
  expect(await rig.wisp("list")).toMatchObject({ code: 0 });
  const signs = () => rig.leftovers().join("\n") + log(first) + log(second);
  await eventually(() => expect(started(rig)).toHaveLength(4), { signs });
  const fourth = started(rig).map(({ session }) => session)[3] ?? "";
  for (const session of [first, second, fourth]) {
    await eventually(() => expect(rig.read("logs/builder.done", session)).toContain("complete|"), {
      signs,
    });
  }
  expect(rig.read("logs/builder.done", third)).toBe("");
  const output = readFileSync(join(rig.repository, ".wisp/queue/queue.out"), "utf8");
  expect(output.match(/its processes were killed; it is taken up again/gu)).toHaveLength(2);
  await rig.wisp("abandon", third, "--yes");
});

test("requests are started elsewhere, each once, though all that starts them is killed in the middle", async () => {
  await using rig = processSession({ scenario: ONE_TASK });
  const paths = requests(rig, 3);
  const first = rig.spawn("start", ...paths, "--on", "local", "--max", "2", "--yes");
  await eventually(() =>
    expect(entriesOf(rig).some(({ state }) => state !== "waiting")).toBe(true),
  );
  first.kill("SIGKILL");
  for (const pid of starters(rig)) process.kill(pid, "SIGKILL");
  await rig.wisp("start", ...paths, "--on", "local", "--max", "2", "--yes");
  await eventually(() => expect(started(rig)).toHaveLength(3), {
    signs: () => rig.leftovers().join("\n"),
  });
  const places = join(String(rig.env["HOME"]), ".local/state/wisp/places");
  expect(readdirSync(places)).toHaveLength(3);
  expect(readdirSync(join(rig.repository, ".wisp/sessions"))).toHaveLength(3);
});

test("an executor that is lost for one request holds up no other, and is tried again until it is there", async () => {
  await using rig = processSession({ scenario: ONE_TASK });
  const own = join(rig.root, "own");
  const places = join(rig.root, "places");
  // An executor of the person's own that has no room for one of the requests until there is a file.
  writeFileSync(
    own,
    `#!/bin/sh
case "$1" in
  create)
    case "$WISP_PLACE_KEY" in request-2-*) [ -e "${rig.root}/room" ] || { echo "no room" >&2; exit 1; } ;; esac
    mkdir -p "${places}/$WISP_PLACE_KEY"; printf '{"id":"%s","root":"%s"}\\n' "$WISP_PLACE_KEY" "${places}/$WISP_PLACE_KEY" ;;
  exec) shift 3; exec "$@" ;;
  destroy) rm -rf "$WISP_PLACE_ROOT" ;;
esac
`,
  );
  chmodSync(own, 0o755);
  const settings = join(String(rig.env["HOME"]), ".config/wisp");
  mkdirSync(settings, { recursive: true });
  const words = ["create", "exec", "destroy"].map((word) => `${word}: [${own}, ${word}]`);
  const box = `executors:\n  box: { kind: command, ${words.join(", ")} }\n`;
  writeFileSync(join(settings, "config.yaml"), box);

  const ended = await rig.wisp("start", ...requests(rig, 3), "--on", "box", "--max", "1", "--yes");
  expect(ended).toMatchObject({ code: 0 });
  await eventually(() => {
    expect(started(rig).map(({ number }) => number)).toEqual([1, 3]);
    expect(entriesOf(rig)[1]).toMatchObject({ state: "waiting" });
    expect(entriesOf(rig)[1]?.reason?.says).toContain("no room");
  });
  writeFileSync(join(rig.root, "room"), "");
  await eventually(() => expect(started(rig)).toHaveLength(3));
  expect(readdirSync(places)).toHaveLength(3);
});

test("a session whose place is lost holds up no other request, and its status says so at once", async () => {
  const { scenario, gates } = gated();
  await using rig = processSession({ scenario });
  await rig.wisp("start", ...requests(rig, 2), "--on", "local", "--max", "1", "--yes");
  await eventually(() => expect(started(rig).map(({ number }) => number)).toEqual([1]));
  const [first] = started(rig);
  const id = first?.session ?? "";
  const place = farRoot(rig.home(id));
  const there = () => rig.leftovers().filter((line) => line.includes(place));
  await eventually(() => {
    for (const line of there()) process.kill(Number(line.split(" ")[0]), "SIGKILL");
    rmSync(place, { recursive: true, force: true });
    expect({ isThere: existsSync(place), left: there() }).toEqual({ isThere: false, left: [] });
  });
  await eventually(() => expect(started(rig)).toHaveLength(2));
  const { stdout } = await rig.wisp("status", id);
  expect(stdout).toContain("no longer exists");
  expect(stdout).not.toContain("in touch");
  writeFileSync(join(gates, "go"), "");
  const second = started(rig)[1]?.session ?? "";
  await eventually(() => expect(rig.read("logs/builder.done", second)).toContain("complete|"));
});

test("the commands of a repository are agreed to once for several requests", async () => {
  await using rig = processSession({ scenario: ONE_TASK });
  const settings = join(String(rig.env["HOME"]), ".config/wisp");
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, "config.yaml"), "trust: ask\n");
  const paths = requests(rig, 2);
  const refused = await rig.wisp("start", ...paths);
  expect(refused.stderr).toContain("there is nobody to ask");
  expect(entriesOf(rig)).toEqual([]);
  const agreed = await rig.wisp("start", ...paths, "--yes");
  expect(agreed.stderr.match(/run these commands:/gu)).toHaveLength(1);
  expect(agreed.code).toBe(0);
  expect(started(rig)).toHaveLength(2);
});
