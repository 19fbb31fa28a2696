// @ts-check

/**
 * A plan of milestones with as many tasks each.
 * @param {number} milestones
 * @param {number} tasks
 */
export function planOf(milestones, tasks) {
  const task = (/** @type {string} */ _, /** @type {number} */ at) => `- [ ] Do task ${at + 1}`;
  const boxes = Array.from({ length: tasks }, task).join("\n");
  return Array.from(
    { length: milestones },
    (_, at) => `## Milestone: M${at + 1}\n\n${boxes}\n`,
  ).join("\n");
}
