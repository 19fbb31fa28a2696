#!/usr/bin/env bash
# Times commands in turn, so that what else the machine does meets all of them alike:
# time-commands.sh <rounds> <seconds at most> <name> <words of a command…> :: <name> <words…> …
# Prints two lines for each: user and system seconds; name, begin and end in seconds. A command that fails ends all.
rounds=$1 ends=$((SECONDS + $2))
shift 2
TIMEFORMAT='%3U %3S'

run() {
  local name=$1 began
  shift
  began=$EPOCHREALTIME
  { time "$@" >/dev/null 2>&1; } 2>&1 || {
    printf '%s ended with %s\n' "$name" "$?" >&2
    exit 1
  }
  printf '%s %s %s\n' "$name" "$began" "$EPOCHREALTIME"
}

for ((round = 0; round < rounds && (round < 3 || SECONDS < ends); round++)); do
  words=()
  for word in "$@" ::; do
    if [[ $word == :: ]]; then
      run "${words[@]}"
      words=()
    else
      words+=("$word")
    fi
  done
done
