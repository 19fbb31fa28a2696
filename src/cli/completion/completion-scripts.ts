import type { CompletionShell } from "../../base/choices.ts";

/*
 * What a shell evaluates to complete `wisp`. The scripts know no command: each time they ask `wisp complete`, which
 * answers with words and descriptions, so that they need not be renewed with wisp. Where nothing is known, files are
 * offered.
 */

const BASH = `# bash completion for wisp. In ~/.bashrc: source <(wisp completion bash)
_wisp() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("$word")
  done < <(wisp complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _wisp wisp
`;

const ZSH = `#compdef wisp
# zsh completion for wisp. In ~/.zshrc, after compinit: source <(wisp completion zsh)
_wisp() {
  local -a found
  local word about
  while IFS=$'\\t' read -r word about; do
    found+=("$word\${about:+:$about}")
  done < <(wisp complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then
    _describe -V wisp found
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _wisp ]]; then
  _wisp "$@"
else
  compdef _wisp wisp
fi
`;

const FISH = `# fish completion for wisp. In ~/.config/fish/config.fish: wisp completion fish | source
function __wisp_complete
  set -l words (commandline -opc)
  set -l last (commandline -ct)
  set -l found (wisp complete -- $words[2..-1] "$last" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$last"
  end
end
complete -c wisp -f -a '(__wisp_complete)'
`;

/** The scripts that `wisp completion` prints. */
export const SCRIPTS: Readonly<Record<CompletionShell, string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
};
