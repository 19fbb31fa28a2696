#!/usr/bin/env bash
# The limit: the engine ($1) runs for each line that is appended to a log ($2).
export WISP_PURPOSE=review-commit
tail -n0 -F "$2" 2>/dev/null | while IFS= read -r _line; do
  "$1" <prompt.md >>turns.out 2>&1
done
