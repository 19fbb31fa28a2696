#!/usr/bin/env bash
# The engine of the bench, the same for wisp and for the bare loops. It notes when it began and ended
# with bash's own clock, which costs no process, ticks a box and commits where it is asked to build, and
# says that all is well where it is asked to judge. Its `git commit` is the only program it starts.
#
#   BENCH_TIMES          file that the times are appended to: begin|end seconds purpose [begin]
#   BENCH_CPU            a folder for what CPU each turn used, or empty
#   BENCH_PLAN           the plan that it proposes
#   BENCH_SECONDS        how long its turns take at least: " purpose=seconds … "
#   BENCH_FIFO           a FIFO to wait at, in which nothing is written but to end the wait of BENCH_BLOCK
#   BENCH_BLOCK          the purpose in which it waits until it is killed, or a line is written to BENCH_FIFO
began=$EPOCHREALTIME
purpose=$WISP_PURPOSE
printf 'begin %s %s\n' "$began" "$purpose" >>"$BENCH_TIMES"

IFS= read -r -d '' prompt

if [[ $purpose == "$BENCH_BLOCK" ]]; then
  read -r _never <>"$BENCH_FIFO"
fi
if [[ $BENCH_SECONDS == *" $purpose="* ]]; then
  seconds=${BENCH_SECONDS#*" $purpose="}
  read -rt "${seconds%% *}" _never <>"$BENCH_FIFO"
fi

case $purpose in
  plan)
    printf '%s\n' "$BENCH_PLAN" >"$WISP_TASKS_FILE"
    ;;
  replan)
    ;;
  build)
    mapfile -t lines <"$WISP_TASKS_FILE"
    for at in "${!lines[@]}"; do
      if [[ ${lines[at]} == '- [ ] '* ]]; then
        printf 'task %s\n' "$at" >>work.txt
        git commit -qam "Do task $at"
        lines[at]="- [x] ${lines[at]#'- [ ] '}"
        break
      fi
    done
    printf '%s\n' "${lines[@]}" >"$WISP_TASKS_FILE"
    ;;
  *)
    # Several reviewers may be asked at once; the prompt heads each with "## name (level)".
    mapfile -t lines <<<"$prompt"
    reviewers=()
    for line in "${lines[@]}"; do
      if [[ $line =~ ^'## '([a-z0-9-]+' ('(blocking|warning|suggestion)')')$ ]]; then
        reviewers+=("[Review] ${BASH_REMATCH[1]}"$'\n\n')
      fi
    done
    ((${#reviewers[@]} > 0)) || reviewers=('')
    printf '%s### Verdict: PASSED\n\n### Findings\n\nNone\n\n---\n\n' "${reviewers[@]}"
    ;;
esac
if [[ -n $BENCH_CPU ]]; then
  times >"$BENCH_CPU/$purpose-$began-$RANDOM"
fi
printf 'end %s %s %s\n' "$EPOCHREALTIME" "$purpose" "$began" >>"$BENCH_TIMES"
