/** Examples of the commands that make pages for a browser. */
export const PAGE_EXAMPLES = {
  report: `
Examples:
  wisp report                   what happened, as Markdown (as with --md)
  wisp report invoices --html   as a page
  wisp report --json | jq '.milestones[].name'

It can be asked for at any time, also while the session runs, and when its files are damaged.`,
  watch: `
Examples:
  wisp watch --web              prints a link for a browser of this machine
  wisp watch invoices --web --port 7070

The link works once, in one browser. The page shows and changes nothing.`,
} as const;
