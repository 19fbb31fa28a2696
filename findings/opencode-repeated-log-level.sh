#!/usr/bin/env bash
# opencode ends with 1 if `--log-level` is given twice: the two values become a list, and it reports that a list has no
# `toUpperCase`. Nothing of the command is run. Guess before the run: the last one wins, as with most command lines. Who adds
# options to those that a person has configured has to leave out what is there already.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir home
printf '{ "private": true }\n' >package.json
npm install --no-audit --no-fund --silent opencode-ai@1.18.33
opencode() { env -i HOME="$folder/home" PATH="$PATH" timeout 60 "$folder/node_modules/.bin/opencode" "$@" </dev/null; }

code_of() {
  local name="$1" code=0
  shift
  opencode "$@" >"$name.out" 2>"$name.err" || code=$?
  echo "$code"
}

once="$(code_of once models --log-level WARN)"
twice="$(code_of twice models --log-level INFO --log-level WARN)"

echo "opencode $(opencode --version)"
echo "given once: exit code $once, $(wc -l <once.out) lines of output"
echo "given twice: exit code $twice"
sed 's/\x1b\[[0-9;]*m//g; s/(In .*//' twice.err | sed '/^\s*$/d'

[ "$once" = 0 ] || { echo "changed: one --log-level ends with $once"; exit 1; }
[ "$twice" = 1 ] || { echo "changed: two of them end with $twice"; exit 1; }
grep -q 'toUpperCase is not a function' twice.err
[ ! -s twice.out ] || { echo "changed: the command was run"; exit 1; }
