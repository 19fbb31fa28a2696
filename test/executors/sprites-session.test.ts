import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { mirroredFiles, placeIn } from "../process/far-files.ts";
import { eventually, signsIn } from "../rig/patience.ts";
import { startGated, type GatedSession } from "./gated-session.ts";
import { openSprites, type SpritesDouble } from "./sprites-double.ts";

/** The double finds processes by their environment. */
const LACKS = !existsSync("/proc/self/environ");
const WHY = LACKS ? " (skipped: needs /proc)" : "";

const ITEM = "RI-001: Say it louder";
const PLAN = `### ${ITEM}\n\n**Description:** It is too quiet.\n\n**Acceptance Criteria:**\n\n- [ ] Say it louder\n\n`;
const REVISES = `
  revise(t) {
    t.print("<revision-plan>\\n" + ${JSON.stringify(PLAN)} + "</revision-plan>");
    t.say({ status: "DONE", summary: "one item" });
  },
`;

/** A session in a sprite of a double; its turns wait at gates. */
async function startInSprite(double: SpritesDouble): Promise<GatedSession> {
  return startGated({
    executor: `{ kind: sprites, url: "${double.baseUrl}" }`,
    gates: join(double.directory, "gates"),
    env: { SPRITE_TOKEN: double.token },
    more: REVISES,
  });
}

const checkpoints = ({ seen }: SpritesDouble) =>
  seen.filter(({ url }) => url.endsWith("/checkpoint"));

describe.skipIf(LACKS)(`a session in a sprite of a double of the service${WHY}`, () => {
  test("goes on after a deep sleep in mid-milestone, is revised after a checkpoint, and leaves no sprite when it is done", async () => {
    const double = await openSprites();
    onTestFinished(() => double.close());
    await using begun = await startInSprite(double);
    const { rig, home, far, gate, isWhole } = begun;
    gate("One").open();
    await gate("Two").begun();
    const { id } = placeIn(home);
    expect(double.names()).toEqual([id]);
    double.goCold();
    await gate("Two").begun(2);
    gate("Two").open();
    await isWhole();

    expect(checkpoints(double)).toEqual([]);
    const revised = await rig.wisp(
      "revise",
      "words",
      "--problem",
      "It is too quiet",
      "--yes",
      "--detach",
    );
    expect({ code: revised.code, said: revised.stderr }).toMatchObject({ code: 0 });
    expect(revised.stderr).toContain("Checkpoint v0 of the place was made");
    expect(checkpoints(double)).toMatchObject([
      { method: "POST", url: `/v1/sprites/${id}/checkpoint` },
    ]);
    const kept = join(double.keptIn(id, "v0"), "repository/.wisp/sessions/words");
    expect(readFileSync(join(kept, "logs/builder.done"), "utf8")).toContain("complete|");
    expect(existsSync(join(kept, "revision-1"))).toBe(false);

    await gate(ITEM).begun();
    gate(ITEM).open();
    const signs = () => signsIn(far()) + signsIn(home);
    await eventually(
      () =>
        expect(readFileSync(join(far(), "revision-1/logs/builder.done"), "utf8")).toContain(
          "complete|",
        ),
      { signs },
    );
    await eventually(() => expect(mirroredFiles(home)).toEqual(mirroredFiles(far())), { signs });
    await eventually(() => expect(rig.git("show", `wisp/words:${ITEM}.txt`)).toBe("built"), {
      signs,
    });

    const root = begun.root();
    const before = readFileSync(join(home, "revision-1/logs/builder.log"), "utf8");
    const done = await rig.wisp("done", "words", "--yes");
    expect({ code: done.code, said: done.stderr }).toMatchObject({ code: 0 });
    expect(double.names()).toEqual([]);
    expect(existsSync(root)).toBe(false);
    expect(readFileSync(join(home, "revision-1/logs/builder.log"), "utf8")).toContain(before);
  });

  test("whose sprite was removed by somebody else says how to go on, and goes on here from what was mirrored", async () => {
    const double = await openSprites();
    onTestFinished(() => double.close());
    await using begun = await startInSprite(double);
    const { rig, home, far, gate, isWholeHere } = begun;
    gate("One").open();
    await gate("Two").begun();
    await eventually(() => expect(mirroredFiles(home)).toEqual(mirroredFiles(far())));
    const { id } = placeIn(home);
    const headers = { Authorization: `Bearer ${double.token}` };
    await fetch(`${double.baseUrl}/v1/sprites/${id}`, { method: "DELETE", headers });
    const refused = await rig.wisp("up", "words", "--detach");
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(`The place ${id} no longer exists on box.`);
    expect(refused.stderr).toContain("wisp move words here --force");
    const moved = await rig.wisp("move", "words", "here", "--force", "--yes");
    expect({ code: moved.code, said: moved.stderr }).toMatchObject({ code: 0 });
    await gate("Two").begun(2);
    gate("Two").open();
    await isWholeHere();
    expect(double.names()).toEqual([]);
  });
});
