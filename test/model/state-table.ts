/** Numbers in a state. */
export const STATE_WIDTH = 13;

const CHUNK_ROWS = 1 << 14;

/**
 * The known states, each as a row of integers, with the state from which it was first reached, and the step. Exact:
 * rows are compared, not only their hashes.
 */
export class StateTable {
  #chunks: Int32Array[] = [];
  #slots = new Int32Array(1 << 12);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Adds a row unless it is there. Returns its number when it is new, -1 otherwise. */
  add(row: Int32Array, parent: number, label: number): number {
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    const mask = this.#slots.length - 1;
    let slot = hash(row) & mask;
    for (;;) {
      const at = this.#slots[slot] ?? 0;
      if (at === 0) break;
      if (this.#isRow(at - 1, row)) return -1;
      slot = (slot + 1) & mask;
    }
    const index = this.#append(row, parent, label);
    this.#slots[slot] = index + 1;
    return index;
  }

  parentOf(index: number): number {
    return this.#field(index, STATE_WIDTH);
  }

  labelOf(index: number): number {
    return this.#field(index, STATE_WIDTH + 1);
  }

  #field(index: number, field: number): number {
    const chunk = this.#chunks[Math.floor(index / CHUNK_ROWS)];
    return chunk?.[(index % CHUNK_ROWS) * ROW_WIDTH + field] ?? -1;
  }

  #isRow(index: number, row: Int32Array): boolean {
    const chunk = this.#chunks[Math.floor(index / CHUNK_ROWS)];
    if (chunk === undefined) return false;
    const from = (index % CHUNK_ROWS) * ROW_WIDTH;
    for (let i = 0; i < STATE_WIDTH; i++) if (chunk[from + i] !== row[i]) return false;
    return true;
  }

  #append(row: Int32Array, parent: number, label: number): number {
    const index = this.#count++;
    const place = index % CHUNK_ROWS;
    if (place === 0) this.#chunks.push(new Int32Array(CHUNK_ROWS * ROW_WIDTH));
    const chunk = this.#chunks[this.#chunks.length - 1];
    const from = place * ROW_WIDTH;
    chunk?.set(row, from);
    if (chunk !== undefined) {
      chunk[from + STATE_WIDTH] = parent;
      chunk[from + STATE_WIDTH + 1] = label;
    }
    return index;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let index = 0; index < this.#count; index++) {
      const chunk = this.#chunks[Math.floor(index / CHUNK_ROWS)];
      const from = (index % CHUNK_ROWS) * ROW_WIDTH;
      let slot = hash(chunk?.subarray(from, from + STATE_WIDTH) ?? slots) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = index + 1;
    }
    this.#slots = slots;
  }
}

/** A state, its parent, and the label of the step between them. */
const ROW_WIDTH = STATE_WIDTH + 2;

function hash(row: Int32Array): number {
  let h = 0;
  for (let i = 0; i < STATE_WIDTH; i++) {
    h = Math.imul(h ^ (row[i] ?? 0), 0x9e3779b1);
    h ^= h >>> 15;
  }
  return h;
}
