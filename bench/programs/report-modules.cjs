// Loaded before a program of Node (`node --require`): writes which files the program has loaded when it ends.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const loaded = Object.keys(require.cache).filter((path) => path !== __filename);
  writeFileSync(process.env["BENCH_MODULES"] ?? "modules.json", JSON.stringify(loaded));
});
