/** Examples below the help of `wisp move`. */
export const MOVE_EXAMPLES = `
Examples:
  wisp move invoices ssh:build-box   go on there, with what is not committed, and follow it here
  wisp move invoices sprites         from there to a third machine, by way of this one
  wisp move invoices here            bring it back, and remove the place
  wisp move invoices here --force    go on here though the other machine is lost

Killed anywhere, the same command goes on.`;
