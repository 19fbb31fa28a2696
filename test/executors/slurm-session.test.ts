import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mirroredFiles, placeIn } from "../process/far-files.ts";
import { eventually } from "../rig/patience.ts";
import { startGated, type GatedSession } from "./gated-session.ts";
import { NO_SLURM, openSlurm, type SlurmCluster } from "./slurm-cluster.ts";

const reason = NO_SLURM === undefined ? "" : ` (${NO_SLURM})`;
/** Each look asks a program of Slurm. */
const LOOK = { intervalMs: 200 };

describe.skipIf(NO_SLURM !== undefined)(`a session in a job of Slurm${reason}`, () => {
  let cluster: SlurmCluster;
  let sessions = 0;
  beforeAll(async () => {
    cluster = await openSlurm({ cpus: 4 });
  });
  afterAll(() => cluster.close());

  function startInJob(): Promise<GatedSession> {
    sessions += 1;
    const gates = join(cluster.folder, `gates-${String(sessions)}`);
    mkdirSync(gates);
    const places = join(cluster.folder, "places");
    return startGated({
      ...{ executor: `{ kind: slurm, root: ${places}, time: 24h }`, gates, env: cluster.env },
    });
  }

  const job = ({ home }: GatedSession) => placeIn(home).id;
  const shown = (begun: GatedSession) => cluster.say("scontrol", "show", "job", job(begun));
  const status = async ({ rig }: GatedSession) => (await rig.wisp("status", "words")).stdout;

  test("is told before the time limit in mid-milestone, and goes on in the same job when that runs again", async () => {
    await using begun = await startInJob();
    const { rig, home, gate, isWhole } = begun;
    gate("One").open();
    await gate("Two").begun();
    await cluster.say("scontrol", "update", `JobId=${job(begun)}`, "TimeLimit=1");
    await eventually(async () => expect(await shown(begun)).toContain("Restarts=1"), LOOK);
    await cluster.say("scontrol", "update", `JobId=${job(begun)}`, "TimeLimit=1440");
    await gate("Two").begun(2);
    gate("Two").open();
    await isWhole();
    const ends = readFileSync(join(home, "logs/supervisor.log"), "utf8");
    expect(ends.match(/ supervisor\.start /gu)).toHaveLength(2);
    expect(ends.match(/ supervisor\.end /gu)).toHaveLength(2);
    expect(await rig.wisp("done", "words", "--yes")).toMatchObject({ code: 0 });
    expect(await cluster.say("squeue", "--noheader", "--format=%i")).toBe("");
  });

  test("goes on when its job was requeued by somebody else", async () => {
    await using begun = await startInJob();
    const { rig, gate, isWhole } = begun;
    await gate("One").begun();
    await cluster.say("scontrol", "requeue", job(begun));
    gate("Two").open();
    await gate("One").begun(2);
    gate("One").open();
    await isWhole();
    expect(await rig.wisp("abandon", "words", "--yes")).toMatchObject({ code: 0 });
    expect(await cluster.say("squeue", "--noheader", "--format=%i")).toBe("");
  });

  test("says that its node is down, and goes on when that is back", async () => {
    await using begun = await startInJob();
    const { rig, gate, isWhole } = begun;
    await gate("One").begun();
    const node = `NodeName=${cluster.node}`;
    await cluster.say("scontrol", "update", node, "State=down", "Reason=test");
    await eventually(
      async () => expect(await status(begun)).toContain("the node is down or not available"),
      LOOK,
    );
    await cluster.say("scontrol", "update", node, "State=resume");
    await gate("One").begun(2);
    gate("One").open();
    gate("Two").open();
    await isWhole();
    expect(await rig.wisp("abandon", "words", "--yes")).toMatchObject({ code: 0 });
  });

  test("whose job was cancelled says so, and goes on in a new job", async () => {
    await using begun = await startInJob();
    const { rig, home, gate, isWhole } = begun;
    gate("One").open();
    await gate("Two").begun();
    const first = job(begun);
    await cluster.say("scancel", first);
    await eventually(async () => expect(await status(begun)).toContain("no longer exists"), LOOK);
    expect(mirroredFiles(home)).toHaveProperty(["logs/builder.log"]);
    expect(await rig.wisp("up", "words", "--detach")).toMatchObject({ code: 0 });
    expect(job(begun)).not.toBe(first);
    await gate("Two").begun(2);
    gate("Two").open();
    await isWhole();
    expect(await rig.wisp("abandon", "words", "--yes")).toMatchObject({ code: 0 });
  });

  test("whose node is lost with its files goes on here from what was mirrored", async () => {
    await using begun = await startInJob();
    const { rig, home, root, far, gate, isWholeHere } = begun;
    gate("One").open();
    await gate("Two").begun();
    await eventually(() => expect(mirroredFiles(home)).toEqual(mirroredFiles(far())), LOOK);
    await cluster.say("scancel", job(begun));
    await eventually(async () => expect(await status(begun)).toContain("no longer exists"), LOOK);
    const files = root();
    await eventually(() => {
      rmSync(files, { recursive: true, force: true });
      expect(existsSync(files)).toBe(false);
    });
    const refused = await rig.wisp("up", "words", "--detach");
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("wisp move words here --force");
    const moved = await rig.wisp("move", "words", "here", "--force", "--yes");
    expect({ code: moved.code, said: moved.stderr }).toMatchObject({ code: 0 });
    await gate("Two").begun(2);
    gate("Two").open();
    await isWholeHere();
    expect(await rig.wisp("abandon", "words", "--yes")).toMatchObject({ code: 0 });
    expect(await cluster.say("squeue", "--noheader", "--format=%i")).toBe("");
  });
});
