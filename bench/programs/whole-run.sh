#!/usr/bin/env bash
# The limit: the engine ($1) in the order in which a session needs it, reviews beside builds, the test
# beside the last reviews of a milestone; `$2` milestones of `$3` tasks. Nothing is checked or recorded.
turn() {
  WISP_PURPOSE=$1 "$agent" <prompt.md >>"turns-$1.out" 2>&1
}
agent=$1
turn plan
for ((milestone = 0; milestone < $2; milestone++)); do
  reviews=()
  for ((task = 0; task < $3; task++)); do
    turn build
    wait "${reviews[@]}"
    reviews=()
    turn review-commit &
    reviews+=($!)
  done
  turn test &
  tests=$!
  wait "${reviews[@]}"
  turn review-milestone
  wait "$tests"
done
turn final-test
