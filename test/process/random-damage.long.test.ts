import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryDamages, damageWords, doDamage } from "../rig/damage.ts";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type Ended } from "../rig/process-session.ts";

const RUNS = 6;
const ID = "task";
const seed = Number(process.env["WISP_TEST_SEED"] ?? 1);

const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say thanks\n"),
  async build(t) {
    if (t.milestone === "Two") await t.until(() => t.has(process.env.HOME + "/go"));
    t.put(t.milestone + ".txt", "hello\n");
    t.commit("Build " + t.milestone);
    t.tick();
  },
`;

const DOCUMENTED = [0, 1, 3];
const said = ({ stdout, stderr }: Ended) => `${stdout}\n${stderr}`;

test("a session whose home is damaged at random at rest completes, by itself or after a repair, and loses nothing", async () => {
  await using session = processSession({ scenario: SCENARIO });
  session.spawn("start", "request.md", "--branch", `wisp/${ID}`, "--yes");
  await session.until("the second milestone", () =>
    session.read("logs/builder.log", ID).includes("turn.begin unit=build:Two"),
  );
  expect(await session.wisp("stop", ID)).toMatchObject({ code: 0 });
  const untilIdle = () =>
    session.until("the end of every process", () => session.leftovers().length === 0);
  await untilIdle();
  const home = realpathSync(session.home(ID));
  const places = [
    [join(session.repository, ".wisp"), join(session.root, "kept-wisp")],
    [join(session.root, "empty-home", ".local"), join(session.root, "kept-local")],
  ] as const;
  const copy = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  };
  for (const [place, kept] of places) copy(place, kept);
  const head = session.git("rev-parse", `wisp/${ID}`);
  const go = join(session.root, "empty-home", "go");

  const expectCompletes = async (words: string) => {
    writeFileSync(go, "");
    expect([words, await session.wisp("up", ID)]).toMatchObject([words, { code: 0 }]);
    expect(checkSession(home).broken).toBeUndefined();
    expect(readFileSync(join(home, "logs/milestones.log"), "utf8")).toMatch(/^One\|.*\nTwo\|/u);
    expect([words, (await session.wisp("fsck", ID)).stdout]).toEqual([
      words,
      expect.stringContaining("in order"),
    ]);
  };

  await fc.assert(
    fc.asyncProperty(arbitraryDamages, fc.boolean(), async (damages, isRepaired) => {
      await untilIdle();
      rmSync(go, { force: true });
      for (const [place, kept] of places) copy(kept, place);
      session.git("update-ref", `refs/heads/wisp/${ID}`, head);
      const elsewhere = join(session.root, "elsewhere");
      mkdirSync(elsewhere, { recursive: true });
      for (const damage of damages) doDamage(home, elsewhere, damage);
      const words = damageWords(damages);

      for (const command of ["status", "fsck", "list"]) {
        const looked = await session.wisp(...(command === "list" ? [command] : [command, ID]));
        expect([words, command, DOCUMENTED.includes(looked.code ?? -1)]).toEqual([
          words,
          command,
          true,
        ]);
      }
      const found = await session.wisp("fsck", ID);
      const dry = await session.wisp("up", ID, "--dry-run");
      if (dry.code !== 0) {
        // What `up` refuses, `fsck` finds, and both name the next command.
        expect([words, found.code]).toEqual([words, 1]);
        expect([words, said(dry)]).toEqual([
          words,
          expect.stringContaining(`wisp fsck ${ID} --repair`),
        ]);
      }
      if (dry.code !== 0 || isRepaired) {
        const repaired = await session.wisp("fsck", ID, "--repair");
        expect([words, repaired]).toMatchObject([words, { code: 0 }]);
      }
      await expectCompletes(words);
    }),
    { numRuns: RUNS, seed, endOnFailure: true },
  );
});
