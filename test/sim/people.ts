import { createHash } from "node:crypto";
import type { Ports } from "../../src/work/role-context.ts";
import { appendHuman, type HumanEntry } from "../../src/workspace/session/append-human.ts";
import { attempted } from "../../src/base/fatal.ts";
import { takeEdit } from "../../src/actions/up/take-edit.ts";
import type { Home } from "../../src/fs-protocol/home/home.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { finding } from "../rig/records.ts";
import type { Random } from "../rig/random.ts";

/** An action of a person, some time after the start. */
export interface Deed {
  readonly afterMs: number;
  readonly kind: "update" | "add" | "dismiss" | "pause" | "stop" | "edit" | "resume" | "approve";
}

/** The actions of people in a session; a pause or stop is followed by a resume. */
export function deedsOf(random: Random): readonly Deed[] {
  const deeds: Deed[] = [];
  const some = (kind: Deed["kind"], probability: number) => {
    if (!random.chance(probability)) return;
    const afterMs = random.between(100, random.pick([10_000, 100_000]));
    deeds.push({ afterMs, kind });
    if (kind !== "pause" && kind !== "stop") return;
    deeds.push({ afterMs: afterMs + random.between(1_000, 30_000), kind: "resume" });
  };
  some("update", 0.2);
  some("update", 0.1);
  some("add", 0.2);
  some("dismiss", 0.15);
  some("pause", 0.1);
  some("stop", 0.15);
  some("approve", 0.1);
  some("resume", 0.1);
  if (random.chance(0.25)) deeds.push(...editing(random));
  return deeds;
}

/** Stops the session, edits TASKS.md, whether or not all roles have ended by then, and resumes. */
function editing(random: Random): readonly Deed[] {
  const stopMs = random.between(100, random.pick([5_000, 60_000]));
  const editMs = stopMs + random.pick([0, 500, 5_000]) + random.below(1_000);
  const resumeMs = editMs + random.between(0, 5_000);
  return [
    { afterMs: stopMs, kind: "stop" },
    { afterMs: editMs, kind: "edit" },
    { afterMs: resumeMs, kind: "resume" },
  ];
}

/** The input of a person's command. */
export interface PersonWorld {
  readonly ports: Ports;
  readonly home: Home;
  readonly session: SessionJson;
  /** All items that were reported. */
  readonly items: readonly string[];
  readonly random: Random;
}

/** Does it as the command line does, with the record under the lock that all writers share. */
export async function doDeed(world: PersonWorld, kind: Deed["kind"]) {
  const { ports, home, items, random } = world;
  switch (kind) {
    case "update": {
      const text = `# Request\n\nVersion ${String(random.below(1_000))}.\n`;
      const sha256 = createHash("sha256").update(text).digest("hex");
      // The file first, under the lock for its record, so that no process sees one without the other.
      await appendHuman(speaker(ports), world, (human) => {
        const replaced = ports.files.replace(home.request, Buffer.from(text));
        return replaced.ok ? { kind, v: human.updates + 1, sha256 } : undefined;
      });
      return;
    }
    case "add": {
      const id = `HUM-${random.below(0xffffff).toString(16).padStart(6, "0")}`;
      await say(world, { kind, finding: finding(id) });
      return;
    }
    case "dismiss":
      if (items.length === 0) return;
      await say(world, { kind, id: random.pick(items), why: "no defect" });
      return;
    case "edit": {
      const read = ports.files.read(home.tasks);
      if (!read.ok) return;
      const text = Buffer.from(read.value ?? []).toString("utf8");
      ports.files.replace(home.tasks, Buffer.from(edited(text, random)));
      return;
    }
    case "resume":
      await resume(world);
      return;
    default:
      await say(world, { kind });
  }
}

/** As `wisp resume`: an edit is accepted first, and a session with an invalid one does not continue. */
async function resume(world: Place): Promise<void> {
  const taken = await attempted(() => takeEdit(speaker(world.ports), world));
  if (!taken.ok && taken.failure.kind === "bad-edit") {
    // The message says to correct or remove it.
    world.ports.files.remove(world.home.tasks);
  } else if (!taken.ok) return;
  await say(world, { kind: "resume" });
}

/** The plan after a person's edit, which is mostly still valid. Boxes are unchanged. */
function edited(text: string, random: Random): string {
  const name = `By hand ${random.below(0xffff).toString(16)}`;
  const sections = text.split(/^(?=## )/m);
  const [last = ""] = sections.slice(-1);
  switch (random.below(5)) {
    case 0:
      return sections.slice(0, -1).join("");
    case 1:
      return [...sections.slice(0, -1), last.replace(/^## .*/, `## Milestone: ${name}`)].join("");
    case 2:
      return `${text.trimEnd()}\n- [ ] Do one part more\n`;
    default:
      return `${text}\n## Milestone: ${name}\n\n- [ ] Do part 1\n- [ ] Do part 2\n`;
  }
}

/** Answers a question. */
export async function answer(world: Place, question: string, text: string) {
  await say(world, { kind: "answer", question, text });
}

type Place = Pick<PersonWorld, "ports" | "home" | "session">;

async function say(place: Place, word: HumanEntry) {
  await appendHuman(speaker(place.ports), place, () => word);
}

function speaker(ports: Ports) {
  return { host: ports, env: {}, tell: () => undefined };
}
