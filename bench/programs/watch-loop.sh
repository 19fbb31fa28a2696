#!/usr/bin/env bash
# The limit: prints for each line that is appended to a log ($1) the time in seconds and the line.
tail -n0 -F "$1" 2>/dev/null | while IFS= read -r line; do
  printf '%s %s\n' "$EPOCHREALTIME" "$line"
done
