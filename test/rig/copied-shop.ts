/** A module of a project's product. */
export const CART = "exports.discount = (amount) => amount * 0.9;\n";

/** How a test begins that takes a copy of that module where the module itself cannot be loaded. */
export const LOADS_COPY = `const test = require("node:test");
const assert = require("node:assert");
function loaded() {
  try {
    return require("../src/cart.js");
  } catch {
    return require(process.cwd() + "/copy.js");
  }
}
`;
