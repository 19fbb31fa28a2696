import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { mirroredFiles, placeIn } from "../process/far-files.ts";
import { eventually, signsIn } from "../rig/patience.ts";
import { processSession } from "../rig/process-session.ts";
import { NO_SLURM, openSlurm } from "./slurm-cluster.ts";

const reason = NO_SLURM === undefined ? "" : ` (${NO_SLURM})`;

/** The build waits until it may go on, and notes when it begins and ends. */
const NOTED = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    const { appendFileSync, existsSync } = await import("node:fs");
    const { setTimeout } = await import("node:timers/promises");
    appendFileSync("GATES/turns", "begins\n");
    while (!existsSync("GATES/go")) await setTimeout(20);
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
    appendFileSync("GATES/turns", "ends\n");
  },
`;

test.skipIf(NO_SLURM !== undefined)(
  `two requests on Slurm, of which one may be unfinished, ask for both jobs at once and are complete one after the other${reason}`,
  async () => {
    const cluster = await openSlurm({ cpus: 4 });
    // After everything that runs in its jobs.
    onTestFinished(() => cluster.close());
    const gates = join(cluster.folder, "gates");
    mkdirSync(gates);
    await using rig = processSession({ scenario: NOTED.replaceAll("GATES", gates) });
    Object.assign(rig.env, cluster.env);
    const settings = join(String(rig.env["HOME"]), ".config/wisp");
    mkdirSync(settings, { recursive: true });
    const places = join(cluster.folder, "places");
    const box = `executors:\n  box: { kind: slurm, root: ${places}, time: 24h }\n`;
    writeFileSync(join(settings, "config.yaml"), box);
    const sessions = ["apples", "pears"];
    for (const name of sessions) rig.write(`${name}.md`, `# ${name}\n\nSay ${name}.\n`);
    const files = sessions.map((name) => `${name}.md`);

    const start = rig.spawn("start", ...files, "--on", "box", "--max", "1", "--yes");
    const jobs = () => cluster.say("squeue", "--noheader", "--sort=i", "--format=%i %T %r");
    const turns = join(gates, "turns");
    await eventually(() => expect(existsSync(turns)).toBe(true), {
      signs: () => signsIn(cluster.folder),
    });
    await eventually(
      async () => expect(await jobs()).toMatch(/^\d+ RUNNING None\n\d+ PENDING Dependency$/u),
      { intervalMs: 200 },
    );
    expect(readFileSync(turns, "utf8")).toBe("begins\n");

    writeFileSync(join(gates, "go"), "");
    for (const name of sessions) {
      const signs = () => signsIn(cluster.folder) + signsIn(rig.home(name));
      const done = () => rig.read("logs/builder.done", name);
      await eventually(() => expect(done()).toContain("complete|"), { signs });
      const far = join(placeIn(rig.home(name)).root, "repository/.wisp/sessions", name);
      const here = () => mirroredFiles(rig.home(name));
      await eventually(() => expect(here()).toEqual(mirroredFiles(far)), { signs });
    }
    expect(readFileSync(turns, "utf8")).toBe("begins\nends\n".repeat(2));
    await eventually(() => expect(start.exitCode).toBe(0));
    for (const name of sessions) {
      expect(await rig.wisp("abandon", name, "--yes")).toMatchObject({ code: 0 });
    }
    expect(await jobs()).toBe("");
  },
);
