/** Examples below the help of `wisp prune`. */
export const PRUNE_EXAMPLES = `
Examples:
  wisp prune                    what sessions take on the disk, and what of it can be removed; then it asks
  wisp prune --dry-run
  wisp prune --older-than 30d --yes
  wisp prune invoices --force   although it is not finished; it says what is lost

It removes the files of sessions that were shipped, abandoned or rejected, what killed commands left, and copies of
other versions of wisp that nothing runs. It never removes a branch, a reference, a session that a process works on, or
work that is nowhere else.`;
