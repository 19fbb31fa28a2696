import { join } from "node:path";
import { expect, test } from "vitest";
import { FAR_COPY_MS_MAX } from "../../../src/base/limits.ts";
import { createHost } from "../../../src/host/host.ts";
import { clearPacked } from "../../../src/remote/install/pack-program.ts";
import { everything, mirrorRig, put } from "./rig.ts";

test("archives of earlier programs go once no command can be sending them", () => {
  using rig = mirrorRig();
  const cache = rig.mirror().scratch;
  for (const name of ["old.tgz", "new.tgz", ".half.tgz.0123456789ab.tmp"]) put(cache, name, name);
  const { files, directories, clock } = createHost();
  const later = {
    nowMs: () => clock.nowMs() + 2 * FAR_COPY_MS_MAX + 60_000,
    sleep: () => Promise.resolve(),
  };
  clearPacked({ files, directories, clock }, join(cache, "new.tgz"));
  expect(Object.keys(everything(cache))).toHaveLength(3);
  clearPacked({ files, directories, clock: later }, join(cache, "new.tgz"));
  expect(Object.keys(everything(cache))).toEqual(["new.tgz"]);
});
