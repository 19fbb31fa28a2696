import { expect, test } from "vitest";
import { slotsDirectory } from "../../src/workspace/state-directory.ts";

test("sessions here and at the usual places of this machine share their slots; other places have their own", () => {
  const here = slotsDirectory({ XDG_STATE_HOME: "/people/ada/state" });
  expect(here).toBe("/people/ada/state/wisp/.slots");
  const at = (root: string) =>
    slotsDirectory({ WISP_PLACE: root, XDG_STATE_HOME: `${root}/state` });
  expect(at("/people/ada/state/wisp/places/a-1")).toBe(here);
  expect(at("/srv/wisp/a-1")).toBe("/srv/wisp/a-1/state/wisp/.slots");
  expect(at("places/a-1")).toBe(slotsDirectory({}));
});
