#!/usr/bin/env bash
# As the first process of a pid namespace: counted.sh <file> <command…>. What ends in the namespace is handed to it,
# so what CPU it and its children have used is that of all. Waits for what the command left behind.
counted=$1
shift
"$@"
code=$?
ends=$((SECONDS + 20))
pids=(/proc/[0-9]*)
while ((${#pids[@]} > 1 && SECONDS < ends)); do
  read -rt 0.02 _never <>"$BENCH_FIFO"
  pids=(/proc/[0-9]*)
done
times >"$counted"
exit "$code"
