#!/usr/bin/env bash
# ava prints how many tests passed only if none failed: a red run ends with "1 test failed" alone, although two others
# passed and are listed. So "fewer passed than before" cannot be read from its summary, and its totals are those of the
# listed lines. The same run without the failure ends with "2 tests passed".
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{ "type": "module", "private": true }\n' >package.json
npm install --no-audit --no-fund --silent ava@8.0.1

cat >sums.test.js <<'JS'
import test from "ava";
test("adds", (t) => t.is(1 + 1, 2));
test("multiplies", (t) => t.is(2 * 2, 4));
if (process.env.RED === "yes") test("subtracts", (t) => t.is(2 - 1, 0));
JS

green="$(npx ava 2>&1)"
red="$(RED=yes npx ava 2>&1)" && { echo "the red run exited with 0"; exit 1; }

echo "ava $(npx ava --version)"
echo "--- green, its last line"
echo "$green" | sed '/^\s*$/d' | tail -n 1
echo "--- red, its last line; two tests are listed as passed before it"
echo "$red" | sed '/^\s*$/d' | tail -n 1

grep -q '2 tests passed' <<<"$green"
grep -q '✔ adds' <<<"$red"
grep -q '✔ multiplies' <<<"$red"
grep -q '1 test failed' <<<"$red"
if grep -qE '[0-9]+ tests? passed' <<<"$red"; then
  echo "changed: a red run says how many passed"
  exit 1
fi
