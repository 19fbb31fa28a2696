// @ts-check

/**
 * Random numbers from 0 to below 1 that follow from a seed and from whose they are, so that one session's do not depend
 * on how many others there are (mulberry32).
 * @param {number} seed
 * @param {number} stream
 */
export function randomOf(seed, stream) {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
