// The scenario of the engine: it writes the files of a plan's milestones, and passes everything else.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The scenario for a folder with `TASKS.md` and `milestones.json`. */
export function playing(folder) {
  const milestones = JSON.parse(readFileSync(join(folder, "milestones.json"), "utf8"));
  return {
    plan: (turn) => turn.plan(readFileSync(join(folder, "TASKS.md"), "utf8")),
    build(turn) {
      const { files, gone } = milestones.find(({ title }) => title === turn.milestone);
      for (const [path, text] of Object.entries(files)) turn.put(path, Buffer.from(text, "latin1"));
      for (const path of gone) rmSync(path, { force: true });
      if (turn.git("status", "--porcelain") !== "") turn.commit(turn.milestone);
      turn.tick();
    },
    // There is nothing to fix in what the authors wrote.
    fix: () => undefined,
    replan: () => undefined,
    "stuck-hint": () => undefined,
  };
}
