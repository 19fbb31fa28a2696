#!/usr/bin/env bash
# In a partial clone whose missing files are not fetched (GIT_NO_LAZY_FETCH, or a repository that borrows its objects),
# `git ls-tree -l` prints BAD in place of the size of each file that was left out, and ends with 0; `cat-file -s` of the same
# object fails. Guess before the run: it fails, too, or prints `-` as it does for submodules. Who adds up sizes to learn
# whether a commit's files are there counts these as nothing, and takes the commit for complete.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 HOME="$folder"
author=(-c user.name=Test -c user.email=test@example.invalid)
git init --quiet source
printf 'some text\n' >source/file.txt
git -C source add file.txt
git -C source "${author[@]}" commit --quiet -m "Add a file"
git -C source config uploadpack.allowFilter true
git clone --quiet --bare --filter=blob:none "file://$folder/source" part.git

# A repository that borrows these objects knows of no remote to fetch them from.
git init --quiet --bare borrower.git
echo "$folder/part.git/objects" >borrower.git/objects/info/alternates
commit="$(git -C source rev-parse HEAD)"

code=0
listed="$(git -C borrower.git ls-tree -r -l "$commit" 2>list.err)" || code=$?
sized=0
git -C borrower.git cat-file -s "$commit:file.txt" >/dev/null 2>size.err || sized=$?

git --version
echo "ls-tree -l: exit code $code: $(tr '\t' ' ' <<<"$listed")"
echo "its standard error: $(wc -c <list.err) bytes"
echo "cat-file -s: exit code $sized: $(head -1 size.err)"

[ "$code" = 0 ] || { echo "changed: ls-tree -l ends with $code"; exit 1; }
grep -Eq '^100644 blob [0-9a-f]{40} +BAD'$'\t''file.txt$' <<<"$listed" || { echo "changed: what it prints"; exit 1; }
[ ! -s list.err ] || { echo "changed: it says something"; exit 1; }
[ "$sized" = 128 ] || { echo "changed: cat-file -s ends with $sized"; exit 1; }
