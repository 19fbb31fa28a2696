import { createHash } from "node:crypto";
import type { Ports } from "../../src/agents/role-context.ts";
import { appendHuman, type HumanWord } from "../../src/cli/append-human.ts";
import type { Home } from "../../src/fs-protocol/home.ts";
import { finding } from "../rig/records.ts";
import type { Random } from "./random.ts";

/** Something that a person does at some time after the start. */
export interface Deed {
  readonly afterMs: number;
  readonly kind: "update" | "add" | "dismiss" | "pause" | "stop" | "resume" | "approve";
}

/** What people are going to do in a session; whoever pauses or stops it also has it go on. */
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
  return deeds;
}

/** What a person's command needs. */
export interface PersonWorld {
  readonly ports: Ports;
  readonly home: Home;
  /** Items that were ever reported. */
  readonly items: readonly string[];
  readonly random: Random;
}

/** Does it, as the command line does: the record under the lock that all writers share. */
export async function doDeed({ ports, home, items, random }: PersonWorld, kind: Deed["kind"]) {
  switch (kind) {
    case "update": {
      const text = `# Request\n\nVersion ${String(random.below(1_000))}.\n`;
      const replaced = ports.files.replace(home.request, Buffer.from(text));
      if (!replaced.ok) return;
      const sha256 = createHash("sha256").update(text).digest("hex");
      await appendHuman(ports, home, (human) => ({ kind, v: human.updates + 1, sha256 }));
      return;
    }
    case "add": {
      const id = `HUM-${random.below(0xffffff).toString(16).padStart(6, "0")}`;
      await say({ ports, home }, { kind, finding: finding(id) });
      return;
    }
    case "dismiss":
      if (items.length === 0) return;
      await say({ ports, home }, { kind, id: random.pick(items), why: "no defect" });
      return;
    default:
      await say({ ports, home }, { kind });
  }
}

/** Answers a question, whatever it is. */
export async function answer(world: Pick<PersonWorld, "ports" | "home">, question: string) {
  await say(world, { kind: "answer", question, text: "Yes." });
}

async function say({ ports, home }: Pick<PersonWorld, "ports" | "home">, word: HumanWord) {
  await appendHuman(ports, home, () => word);
}
