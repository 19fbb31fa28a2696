#!/usr/bin/env bash
# The limit: the engine ($1) is started again whenever it has ended.
export WISP_PURPOSE=$BENCH_BLOCK
while :; do
  "$1" <prompt.md >>turns.out 2>&1
done 2>/dev/null
