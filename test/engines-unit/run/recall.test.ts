import fc from "fast-check";
import { expect, test } from "vitest";
import { present } from "../../../src/base/assert.ts";
import { createCliEngine } from "../../../src/engines/run/cli-engine.ts";
import { codingCli } from "../../../src/engines/coding-clis.ts";
import type { TurnRecord } from "../../../src/engines/engine.ts";
import { sessionIdOf } from "../../../src/engines/run/session-id.ts";
import { createHost } from "../../../src/host/host.ts";
import { MemoryFiles } from "../../rig/memory-files.ts";
import { transcript, transcriptNames } from "../events/transcripts.ts";

const NAMES = transcriptNames();
const { processes, directories, clock } = createHost();

/** What the engine of a transcript reports about a turn that was killed after printing these bytes. */
function recalled(name: string, bytes: Uint8Array, resumed?: string): TurnRecord {
  const files = new MemoryFiles();
  files.replace("/turns/one.out", bytes);
  const cli = present(name.split("-")[0], "a transcript's name begins with its CLI");
  const engine = createCliEngine({
    usesSchema: true,
    ...{
      profile: present(codingCli(cli), "the CLI has an adapter"),
      argv: [cli],
      model: undefined,
    },
    ...{ variables: [], env: {}, idleTimeoutMs: 1, tmpDirectory: "/tmp/none" },
    ...{ processes, files, directories, clock },
  });
  return present(engine.recall, "a CLI's output can be read again")("/turns/one", resumed);
}

/** The same, for a transcript that is cut after this share of its bytes. */
function recalledUpTo(name: string, share: number): TurnRecord {
  const bytes = transcript(name);
  return recalled(name, bytes.subarray(0, Math.floor(share * bytes.length)));
}

const anyName = fc.constantFrom(...NAMES);
const anyShare = fc.double({ min: 0, max: 1, noNaN: true });

test("knows only the chosen session of a turn that was killed before it printed anything", () => {
  for (const name of NAMES) {
    const isChosen = /^(?:claude|copilot)-/u.test(name);
    const session = isChosen ? sessionIdOf("/turns/one") : undefined;
    expect(recalled(name, new Uint8Array())).toMatchObject({ session, usage: undefined });
  }
});

test("knows the session of a resumed turn that printed nothing", () => {
  expect(recalled("copilot-SIGTERM", new Uint8Array(), "s-1").session).toBe("s-1");
  expect(recalled("codex-SIGTERM", new Uint8Array(), "s-1").session).toBe("s-1");
});

test("different turns get different session ids, and one turn always the same", () => {
  const ids = fc.tuple(fc.string(), fc.string());
  fc.assert(
    fc.property(ids, ([one, other]) => {
      expect(sessionIdOf(one) === sessionIdOf(other)).toBe(one === other);
      expect(sessionIdOf(one)).toMatch(
        /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u,
      );
    }),
  );
});

test("an output cut at any byte gives its own session or none", () => {
  fc.assert(
    fc.property(anyName, anyShare, (name, share) => {
      const whole = recalled(name, transcript(name)).session;
      const chosen = recalled(name, new Uint8Array()).session;
      expect([chosen, whole]).toContain(recalledUpTo(name, share).session);
    }),
    { numRuns: 500 },
  );
});

test("more output never changes the session that was found", () => {
  fc.assert(
    fc.property(anyName, anyShare, anyShare, (name, one, other) => {
      const before = recalledUpTo(name, Math.min(one, other)).session;
      const after = recalledUpTo(name, Math.max(one, other)).session;
      const chosen = recalled(name, new Uint8Array()).session;
      if (before !== chosen) expect(after).toBe(before);
    }),
    { numRuns: 300 },
  );
});

test("a cut output never reports more usage than the whole one", () => {
  fc.assert(
    fc.property(anyName, anyShare, (name, share) => {
      const { usage } = recalledUpTo(name, share);
      const whole = recalled(name, transcript(name)).usage;
      expect(usage?.tokens?.input ?? 0).toBeLessThanOrEqual(whole?.tokens?.input ?? 0);
      expect(usage?.costUsd ?? 0).toBeLessThanOrEqual(whole?.costUsd ?? 0);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["claude-2.1.329-kill-SIGTERM", 1],
  ["codex-SIGTERM", 1],
  ["gemini-SIGTERM", 1],
  ["opencode-SIGTERM", 1],
])("%s: its first lines name the session to resume", (name, lines) => {
  const text = Buffer.from(transcript(name)).toString("utf8").split("\n");
  const { session } = recalled(name, Buffer.from(`${text.slice(0, lines).join("\n")}\n`));
  expect(session).toMatch(/.{20}/u);
  expect(session).toBe(recalled(name, transcript(name)).session);
});
