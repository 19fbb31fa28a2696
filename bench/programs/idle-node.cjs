// The floor of a process that waits: `node idle-node.cjs FOLDER [FILE…]` loads the files, watches the folder, and has a
// timer of 5 s. It says that it waits.
const { watch } = require("node:fs");

const LOOK_MS = 5_000;
const [folder = ".", ...files] = process.argv.slice(2);
for (const file of files) require(file);
watch(folder, () => {});
setInterval(() => {}, LOOK_MS);
process.stdout.write("waiting\n");
