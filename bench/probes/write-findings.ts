import { appendFileSync } from "node:fs";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { findingId } from "../../src/fs-protocol/findings/finding-id.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";

/**
 * Has a person add findings: `node write-findings.mjs <home> <count>` puts a record for each into `human.log`, as
 * `wisp findings add` does. None of them holds a milestone up.
 */
const [, , directory = "", count = ""] = process.argv;
const home = homeAt(directory);
const time = new Date().toISOString();

const records = Array.from({ length: Number(count) }, (_, at): HumanRecord => {
  const about = { category: "Style", file: "work.txt", brief: `Remark ${at + 1}` };
  const id = findingId({ kind: "finding", anchor: undefined, ...about });
  const said = { issue: "It could be said better.", suggestion: "Say it better." };
  const finding = { id, level: "suggestion", reviewer: "human", ...about, ...said } as const;
  return { kind: "add", time, finding };
});
appendFileSync(home.humanLog, records.map((each) => encodeRecord(HumanRecord, each)).join(""));
