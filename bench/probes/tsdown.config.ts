import { defineConfig } from "tsdown";
import { COMMON } from "../../tsdown.config.ts";

/** The probes are bundled as wisp itself is, but as ES modules: they await at their top level. */
export default defineConfig({
  ...COMMON,
  entry: ["watch-reader.ts", "watch-writer.ts", "write-long-logs.ts", "write-findings.ts"],
  format: "esm",
  outExtensions: () => ({ js: ".mjs" }),
});
