#!/usr/bin/env bash
# The limit: a loop that does nothing but run the engine ($1) until every box is ticked.
export WISP_PURPOSE=build
while mapfile -t boxes <"$WISP_TASKS_FILE" && [[ ${boxes[*]} == *'- [ ] '* ]]; do
  "$1" <prompt.md >>turns.out 2>&1
done
