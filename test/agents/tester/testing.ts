import { testerMain } from "../../../src/agents/tester/main.ts";
import { commit, put, type Script } from "../../rig/in-process-session.ts";
import { builder } from "../../rig/records.ts";
import { write, type RoleFields, type SessionRig } from "../role-rig.ts";

/** The files that the builder published in addition to `src/a.js`, and the task. */
export interface Published {
  readonly files?: Readonly<Record<string, string>>;
  readonly task?: string;
}

/** A milestone that the builder published, and a tester with scripted turns. */
export async function testing(
  rig: SessionRig,
  script: Script,
  { files = {}, task = "a", ...fields }: Published & RoleFields = {},
) {
  const { context } = rig.role("builder");
  const clone = await context.clone();
  await clone.syncTo();
  put(clone.directory, "src/a.js", "export const a = 1;\n");
  for (const [path, text] of Object.entries(files)) put(clone.directory, path, text);
  commit(clone.directory, "Add a");
  const head = await clone.head();
  if (!head.ok) throw new Error("the builder has no HEAD");
  await clone.publish(head.value);
  const end = head.value;
  write(rig.at, {
    builder: [
      builder.adopt({ One: [task] }),
      builder.build({
        m: "One",
        outcome: "milestone",
        ticks: [{ m: "One", tasks: [1] }],
        commits: [end],
        milestones: [{ name: "One", start: rig.session.base, end }],
      }),
    ],
  });
  const role = rig.role("tester", script, fields);
  const unit = `test:One:${end}`;
  const milestone = { name: "One", start: rig.session.base, end };
  const step = { kind: "test", milestone, unit, reopens: 0 } as const;
  const perform = async () => testerMain(role.context).perform(step, await rig.at.state());
  const branch = () =>
    rig.at.git("log", "--reverse", "--format=%s", `${end}..wisp/demo`).split("\n").filter(Boolean);
  const notes = () => role.recordsOf("note").map(({ text }) => text);
  return { ...role, end, unit, step, perform, branch, notes };
}
