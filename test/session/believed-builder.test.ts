import { expect, test } from "vitest";
import { BelievedBuilder } from "../../src/session/state/believed-builder.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER } from "../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import { homeAt, roleLog } from "../../src/fs-protocol/home/home.ts";
import { copyPath } from "../../src/fs-protocol/home/copy-path.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { builder } from "../rig/records.ts";
import { SESSION } from "../rig/session.ts";

const HOME = homeAt("/home");
const BEFORE = [builder.halt()];
const ENDED = [...BEFORE, builder.done("stuck")];

function textOf(records: readonly BuilderRecord[]): string {
  return records.map((record) => encodeRecord(BuilderRecord, record)).join("");
}

/** Returns what is believed if the log has these records and the copy this text. */
function believedOf(log: readonly BuilderRecord[], copy: string | undefined) {
  const files = new MemoryFiles();
  const put = (path: string, text: string) => files.replace(path, Buffer.from(text));
  put(roleLog(HOME, "builder"), textOf(log));
  if (copy !== undefined) put(copyPath(SESSION, "builderLog"), copy);
  const fold = log.reduce(
    (before, record) => foldBuilder(before, record, SESSION.policy),
    EMPTY_BUILDER,
  );
  const believed = new BelievedBuilder(files, HOME, SESSION);
  const read = () => {
    const result = believed.believed(fold);
    return result.ok ? result.value : undefined;
  };
  return { read, copied: (text: string) => put(copyPath(SESSION, "builderLog"), text) };
}

test.each<[string, string | undefined]>([
  ["the copy contains it", textOf(ENDED)],
  ["there is no copy", undefined],
  ["the copy contains all but the end of its line", textOf(ENDED).slice(0, -7)],
])("an end is believed if %s", (_, copy) => {
  expect(believedOf(ENDED, copy).read()).toMatchObject({
    stage: { kind: "done", end: { how: "stuck" } },
  });
});

test.each<[string, readonly BuilderRecord[], string]>([
  ["after everything that the builder wrote", ENDED, textOf(BEFORE)],
  ["in place of what the builder wrote", ENDED, textOf([builder.halt("another reason")])],
  ["to which a log was cut back", ENDED, textOf([...ENDED, builder.reopen(1), builder.halt()])],
])("an end %s is not believed: the copy decides", (_, log, copy) => {
  expect(believedOf(log, copy).read()).toMatchObject({ stage: { kind: "halt" } });
});

test("an end is believed as soon as the copy contains it", () => {
  const { read, copied } = believedOf(ENDED, textOf(BEFORE));
  expect(read()?.stage.kind).toBe("halt");
  copied(textOf(ENDED));
  expect(read()?.stage).toMatchObject({ kind: "done", end: { how: "stuck" } });
});
