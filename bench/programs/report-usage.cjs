// Loaded before a program of Node (`node --require`): writes what the process used when it ends.
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const usage = { maxRssKb: maxRSS, cpuMs: (userCPUTime + systemCPUTime) / 1000 };
  writeFileSync(process.env["BENCH_USAGE"] ?? "usage.json", JSON.stringify(usage));
});
