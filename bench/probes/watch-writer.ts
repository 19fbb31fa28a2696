import { setTimeout as sleep } from "node:timers/promises";
import { createHost } from "../../src/host/host.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";

/**
 * Appends records as a role does, sealed and synced: `node watch-writer.js <log> <count>`. Each says in
 * its `text` when it was written, in seconds; 10 to 30 ms lie between them, and the last says `end`.
 */
const [, , path = "", count = ""] = process.argv;
const { files } = createHost();
const nowMs = () => performance.timeOrigin + performance.now();

function append(text: string): void {
  const time = new Date(nowMs()).toISOString();
  const line = encodeRecord(SupervisorRecord, { kind: "note", time, text });
  files.append(path, Buffer.from(line));
}

for (let written = 0; written < Number(count); written++) {
  append((nowMs() / 1000).toFixed(6));
  await sleep(10 + Math.random() * 20);
}
append("end");
