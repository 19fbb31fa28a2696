#!/usr/bin/env bash
# Times commands in turn, so that what else the machine does meets all of them alike:
# time-commands.sh <rounds> <seconds at most> <name> <words of a command…> :: <name> <words…> …
# Prints: name, wall milliseconds, CPU milliseconds (user and system).
rounds=$1 ends=$((SECONDS + $2))
shift 2
TIMEFORMAT='%U %S'

run() {
  local name=$1 began ended cpu
  shift
  began=$EPOCHREALTIME
  cpu=$({ time "$@" >/dev/null 2>&1; } 2>&1)
  ended=$EPOCHREALTIME
  printf '%s %s %s %s\n' "$name" "$began" "$ended" "$cpu"
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
