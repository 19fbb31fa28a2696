// @ts-check

/**
 * @typedef {object} SimulatedEvent
 * @property {number} atMs
 * @property {number} session
 * @property {"wanted" | "ended"} kind a session wants a turn, or its turn has ended
 */

/** What is to happen, in the order of time: a binary heap. */
export class EventQueue {
  /** @type {SimulatedEvent[]} */
  #heap = [];

  /** @param {SimulatedEvent} event */
  add(event) {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    for (let up = (at - 1) >> 1; at > 0 && this.#timeAt(up) > event.atMs; up = (at - 1) >> 1) {
      this.#copy(up, at);
      at = up;
    }
    heap[at] = event;
  }

  /** Takes the earliest out; `undefined` if there is none. */
  next() {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (
      let down = this.#earlierChild(at);
      this.#timeAt(down) < last.atMs;
      down = this.#earlierChild(at)
    ) {
      this.#copy(down, at);
      at = down;
    }
    heap[at] = last;
    return first;
  }

  /** @param {number} at */
  #earlierChild(at) {
    const left = 2 * at + 1;
    return this.#timeAt(left + 1) < this.#timeAt(left) ? left + 1 : left;
  }

  /** @param {number} at */
  #timeAt(at) {
    return this.#heap[at]?.atMs ?? Infinity;
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  #copy(from, to) {
    const event = this.#heap[from];
    if (event !== undefined) this.#heap[to] = event;
  }
}
