import { need } from "../../src/base/fatal.ts";
import { removeClone } from "../../src/git/clone/rest-clone.ts";
import { removeUnused } from "../../src/git/store/remove-store.ts";
import { armFailpoints } from "../../src/host/system/arm-failpoints.ts";
import { clonePlaces, type ClonePlaces } from "./clone-place.ts";

/*
 * A process that does one thing with a clone, and can be killed at each of its failpoints:
 *
 *   WISP_FAILPOINT=rename.before:2 node clone-program.js <act> <root> <branch> <role>
 */

type Act = (places: ClonePlaces, role: string) => Promise<unknown>;

const ACTS: Readonly<Record<string, Act>> = {
  open: async ({ open }, role) => need(await open(role)),
  "open-own": async ({ open }, role) => need(await open(role, true)),
  bring: async ({ open, hub }, role) => {
    const clone = need(await open(role));
    need(await clone.syncTo((await hub.head(branch)) ?? ""));
  },
  publish: async ({ open }, role) => {
    const clone = need(await open(role));
    need(await clone.publish(need(await clone.head())));
  },
  remove: async ({ context, directoryOf }, role) => need(removeClone(context, directoryOf(role))),
  "remove-store": async ({ context, store }) =>
    need(await removeUnused(context, store, () => false)),
};

const [act = "", root = "", branch = "", role = ""] = process.argv.slice(2);
armFailpoints(process.env);
await ACTS[act]?.(clonePlaces(root, branch), role);
