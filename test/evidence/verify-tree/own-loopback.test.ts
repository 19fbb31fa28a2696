import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SANDBOXES, TreeRig } from "./tree-rig.ts";

describe.each(SANDBOXES)("in $sandbox", ({ bwrap, isThere }) => {
  test.skipIf(!isThere)(
    "a command in a tree gets a loopback of its own if it is asked for",
    async () => {
      using rig = new TreeRig(bwrap, {});
      const at = await rig.commit({ "a.txt": "a\n" });
      const server = createServer((_request, response) => response.end("reached"));
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const port = typeof address === "object" ? (address?.port ?? 0) : 0;
      const ask = `fetch("http://127.0.0.1:${String(port)}").then((r) => r.text()).then(console.log, () => console.log("cut off"))`;
      const outputPath = join(rig.rig.at.home.turns, "asks.out");
      const bounds = { outputPath, timeoutMs: 60_000, envNames: [] };
      try {
        const used = await rig.builder.context.trees.use({ at }, async ({ run }) => {
          await run([process.execPath, "-e", ask], bounds);
          await run([process.execPath, "-e", ask], { ...bounds, hasOwnLoopback: true });
        });
        expect(used.kind).toBe("done");
        const own = bwrap === undefined ? "reached" : "cut off";
        expect(readFileSync(outputPath, "utf8")).toBe(`reached\n${own}\n`);
      } finally {
        server.close();
      }
    },
  );
});
