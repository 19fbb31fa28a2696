#!/usr/bin/env bash
# npm ends with 254 where there is no package.json: the number of the system's error (ENOENT, -2) as a byte. A package
# without a script `test` ends with 1, and a script that fails with the script's own code. Guess before the run: 1 in both
# cases. Who reads exit codes above 128 as signals (254 - 128 = 126, a signal that does not exist), or compares the code of
# a base without a project with later ones, has to know.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir tool none unscripted failing
(cd tool && printf '{ "private": true }\n' >package.json && npm install --no-audit --no-fund --silent npm@10.9.4)
npm_of() { node "$folder/tool/node_modules/npm/bin/npm-cli.js" "$@"; }

printf '{ "private": true }\n' >unscripted/package.json
printf '{ "private": true, "scripts": { "test": "exit 7" } }\n' >failing/package.json

# The folder without a manifest is no child of one: npm would look there.
code_in() {
  local code=0
  (cd "$1" && npm_of test >"$folder/printed-$1" 2>&1) || code=$?
  echo "$code"
}

none="$(code_in none)"
unscripted="$(code_in unscripted)"
failing="$(code_in failing)"

echo "npm $(npm_of --version)"
echo "no package.json: exit code $none, $(grep -m 1 'code' printed-none)"
echo "no script test: exit code $unscripted, $(grep -m 1 'Missing' printed-unscripted)"
echo "the script exits with 7: exit code $failing"

grep -q ENOENT printed-none
[ "$none" = 254 ] || { echo "changed: without package.json the exit code is $none"; exit 1; }
[ "$unscripted" = 1 ] || { echo "changed: without the script the exit code is $unscripted"; exit 1; }
[ "$failing" = 7 ] || { echo "changed: a script's own code comes out as $failing"; exit 1; }
