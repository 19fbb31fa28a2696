/** Scenarios that more than one process test plays; bodies of the agent's `export default { … }`. */

/** Two milestones; one finding and one bug, each fixed at once; tests from the tester. */
export const WHOLE_RUN = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n- [ ] Say goodbye\n\n## Milestone: Two\n\n- [ ] Say thanks\n"),
  build(t) {
    if (t.milestone === "One" && !t.has("hello.txt")) {
      t.put("hello.txt", "hullo\n");
      t.commit("Say hello");
      t.tick(1);
    } else if (t.milestone === "One") {
      t.put("goodbye.txt", "goodbye\n");
      t.commit("Say goodbye");
      t.tick();
    } else {
      t.put("thanks.txt", "thanks\n");
      t.commit("Say thanks");
      t.tick();
    }
  },
  "review-milestone"(t) {
    if (t.milestone === "One") t.needsWork("Correctness", "hello.txt", "It says hullo");
    else t.passed();
  },
  test(t) {
    t.put("test/" + t.milestone + ".txt", "tested\n");
    if (t.milestone === "Two") t.needsWork("Bug", "thanks.txt", "It is too short", "grep -q you thanks.txt");
    else t.passed();
  },
  fix(t) {
    if (t.finding.startsWith("BUG-")) t.put("thanks.txt", "thank you\n");
    else t.put("hello.txt", "hello\n");
  },
`;

/** One milestone of one task, nothing found. */
export const ONE_TASK = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;
