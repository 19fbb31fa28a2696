// What a step is made from: both releases, and what their tests require.
import { installPytest, unpackSeries, wordsOfPatch } from "./debian.js";
import { install, unpack } from "./releases.js";

const OF_DEBIAN = "deb:";

/**
 * The folders of both releases and of what their tests require, under which name that is linked into the repository, and
 * what a patch says of itself.
 */
export function fetchStep(folder, { name, from, to, tools }) {
  if (!name.startsWith(OF_DEBIAN)) {
    const [one, other] = [from, to].map((version) => unpack(folder, name, version));
    return { from: one, to: other, modules: install(folder, tools), link: "node_modules" };
  }
  const source = name.slice(OF_DEBIAN.length);
  const [one, other] = [from, to].map((count) => unpackSeries(folder, source, count));
  const words = wordsOfPatch(folder, source, to);
  return { from: one, to: other, modules: installPytest(folder), link: ".venv", words };
}
