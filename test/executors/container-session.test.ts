import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { placeIn } from "../process/far-files.ts";
import { eventually, signsIn } from "../rig/patience.ts";
import { documentOf, sectionOf } from "../rig/document.ts";
import { startGated, waitingScenario, type GatedSession } from "./gated-session.ts";
import { CAN_LIMIT, IMAGES, LEAST, NO_PODMAN, openPodman, type Podman } from "./podman.ts";

const reason = NO_PODMAN === undefined ? "" : ` (${NO_PODMAN})`;
const AGENT = readFileSync(join(import.meta.dirname, "../fixtures/agent/agent.mjs"), "utf8");
/** As the container names it. It is in the volume of the place, since a container sees nothing else of this machine. */
const GATES = "/wisp/place/gates";
/** The engine is committed, and runs with the Node that wisp brought. */
const ENGINE = "{ command: [/wisp/place/node, tools/agent.mjs, tools/waits.mjs] }";

test("EXECUTORS.md names every program that an image must have", () => {
  const needs = sectionOf(documentOf("docs/EXECUTORS.md"), "## What a place needs");
  expect(LEAST.filter((name) => !needs.includes(`\`${name}\``))).toEqual([]);
});

describe.skipIf(NO_PODMAN !== undefined)(`a session in a container${reason}`, () => {
  let podman: Podman;
  let image: string;
  beforeAll(async () => {
    podman = await openPodman();
    image = podman.makeLeastImage();
  });
  afterAll(() => podman.close());

  const knownVolumes = new Map<string, string>();
  const volumeOf = (id: string) => {
    const known = knownVolumes.get(id);
    if (known !== undefined) return known;
    const path = podman.say("volume", "inspect", "--format", "{{.Mountpoint}}", id).trim();
    knownVolumes.set(id, path);
    return path;
  };

  /** A session in a container of an image that has no Node, and no more programs than it must. */
  function startBoxed(more = ""): Promise<GatedSession> {
    return startGated({
      executor: `{ kind: container, program: podman, image: ${image}${more} }`,
      gates: GATES,
      here: (path, id) => path.replace(/^\/wisp/u, volumeOf(id)),
      env: podman.env,
      options: {
        engine: ENGINE,
        files: { "tools/agent.mjs": AGENT, "tools/waits.mjs": waitingScenario(GATES) },
      },
    });
  }

  /** A session that begins here; this machine and the containers of `box` share the folder of its gates. */
  async function startHere(): Promise<GatedSession> {
    const gates = await mkdtemp(join(tmpdir(), "wisp-gates-"));
    onTestFinished(() => rm(gates, { recursive: true }));
    const shared = `[--volume, "${gates}:${gates}"]`;
    return startGated({
      executor: `{ kind: container, program: podman, image: ${IMAGES.root}, arguments: ${shared} }`,
      on: "here",
      gates,
      here: (path, id) => (path.startsWith(gates) ? path : path.replace(/^\/wisp/u, volumeOf(id))),
      env: podman.env,
      options: {
        engine: "{ command: [node, tools/agent.mjs, tools/waits.mjs] }",
        files: { "tools/agent.mjs": AGENT, "tools/waits.mjs": waitingScenario(gates) },
      },
    });
  }

  const names = () => podman.say("ps", "--all", "--format", "{{.Names}}");
  const volumes = () => podman.say("volume", "ls", "--format", "{{.Name}}");

  test("runs to its end there with the Node of this machine, all of it arrives here, and nothing is left when it is done", async () => {
    await using begun = await startBoxed();
    const { rig, home, gate, isWhole } = begun;
    await gate("One").begun();
    gate("One").open();
    gate("Two").open();
    await isWhole();
    const { id } = placeIn(home);
    expect(names()).toContain(id);
    const before = readFileSync(join(home, "logs/builder.log"), "utf8");
    expect(await rig.wisp("done", "words", "--yes")).toMatchObject({ code: 0 });
    expect(names()).not.toContain(id);
    expect(volumes()).not.toContain(id);
    expect(readFileSync(join(home, "logs/builder.log"), "utf8")).toContain(before);
  });

  test("whose container was killed in mid-milestone says so, and goes on when it is started again", async () => {
    await using begun = await startBoxed(CAN_LIMIT ? ", memory: 1g, cpus: 1" : "");
    const { rig, home, gate, isWhole } = begun;
    // The user there makes the directory of the gates.
    await gate("One").begun();
    gate("One").open();
    await gate("Two").begun();
    const { id } = placeIn(home);
    const mounts: unknown = JSON.parse(podman.say("inspect", "--format", "{{json .Mounts}}", id));
    expect(mounts).toMatchObject([{ Type: "volume", Name: id, Destination: "/wisp" }]);
    podman.say("kill", id);
    await eventually(
      async () => {
        const { stdout } = await rig.wisp("status", "words");
        expect(stdout).toContain("its container is not running");
      },
      { signs: () => signsIn(home) },
    );
    expect(await rig.wisp("up", "words", "--detach")).toMatchObject({ code: 0 });
    await gate("Two").begun(2);
    gate("Two").open();
    await isWhole();
    expect(await rig.wisp("abandon", "words", "--yes")).toMatchObject({ code: 0 });
    expect(names()).not.toContain(id);
    expect(volumes()).not.toContain(id);
  });

  test("that began here moves into a container in mid-milestone, completes there, and leaves none when it is done", async () => {
    await using begun = await startHere();
    const { rig, home, gate, isWhole } = begun;
    gate("One").open();
    await gate("Two").begun();
    expect(names()).not.toContain("wisp-");
    const moved = await rig.wisp("move", "words", "box");
    expect({ code: moved.code, said: moved.stderr }).toMatchObject({ code: 0 });
    const { id } = placeIn(home);
    expect(names()).toContain(id);
    await gate("Two").begun(2);
    const refs = rig.git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue/words/");
    expect(rig.git("show", `${refs.split("\n")[0] ?? ""}:draft-Two.txt`)).toBe("not committed");
    gate("Two").open();
    await isWhole();
    expect(await rig.wisp("done", "words", "--yes")).toMatchObject({ code: 0 });
    expect(names()).not.toContain(id);
    expect(volumes()).not.toContain(id);
  });
});
