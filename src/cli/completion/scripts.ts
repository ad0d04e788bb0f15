/** Completion scripts. Each asks `svc complete` for the words, so that a script never goes out of date. */

/** For bash 3.2 and later (macOS ships 3.2). */
const bash = `# Completion of svc for bash: eval "$(svc autocomplete bash)"
_svc() {
  local line kind="" width=0 at word="\${COMP_WORDS[COMP_CWORD]}"
  local -a about=()
  COMPREPLY=()
  while IFS= read -r line; do
    if [ -z "$kind" ]; then
      kind="$line"
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
      case "$line" in *$'\\t'*) about+=("\${line#*$'\\t'}") ;; *) about+=("") ;; esac
    fi
  done < <(svc complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # Readline sorts the names of files, and puts a slash behind folders.
  case "$kind" in
    'files '*)
      at="\\.(\${kind#files })$"
      while IFS= read -r line; do
        if [ -d "\${line/#\\~/$HOME}" ] || [[ $line =~ $at ]]; then COMPREPLY+=("$line"); fi
      done < <(compgen -f -- "$word")
      if [ "\${#COMPREPLY[@]}" -gt 0 ] && compopt -o filenames 2>/dev/null; then return 0; fi
      COMPREPLY=()
      kind=files
      ;;
  esac
  case "$kind" in
    files) compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")) ;;
    list) compopt -o nospace 2>/dev/null ;;
  esac
  # The words come in their order: newest first. bash before 4.4 sorts them.
  compopt -o nosort 2>/dev/null
  # Only a list of words has descriptions: 37 and 42 are ways to insert each word in turn.
  if [ "\${#COMPREPLY[@]}" -gt 1 ] && [ "\${COMP_TYPE:-9}" != 37 ] && [ "\${COMP_TYPE:-9}" != 42 ]; then
    for line in "\${COMPREPLY[@]}"; do
      if [ "\${#line}" -gt "$width" ]; then width=\${#line}; fi
    done
    for at in "\${!COMPREPLY[@]}"; do
      [ -n "\${about[at]}" ] || continue
      printf -v line "%-\${width}s  (%s)" "\${COMPREPLY[at]}" "\${about[at]}"
      COMPREPLY[at]="\${line:0:\${COLUMNS:-80}}"
    done
  fi
  return 0
}

complete -F _svc svc lead-calling
`

/** Registers itself before the first prompt too, because compinit may run later in .zshrc, or not at all. */
const zsh = `#compdef svc lead-calling
# Completion of svc for zsh: eval "$(svc autocomplete zsh)"
_svc() {
  local line kind="" at width=0
  local -a found about shown end
  for line in "\${(@f)$(svc complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ -z "$kind" ]]; then
      kind="$line"
    elif [[ -n "$line" ]]; then
      found+=("\${line%%$'\\t'*}")
      about+=("\${\${(M)line%%$'\\t'*}#?}")
      (( \${#found[-1]} > width )) && width=\${#found[-1]}
    fi
  done
  for (( at = 1; at <= \${#found}; at++ )); do
    line="\${found[at]}"
    [[ -n "\${about[at]}" ]] && line="\${(r:width:)line}  -- \${about[at]}"
    shown+=("\${line[1,COLUMNS-1]}")
  done
  case "$kind" in
    'files '*) _files -g "*.(\${kind#files })"; return ;;
    files) _files; return ;;
    list) end=(-S '') ;;
  esac
  (( \${#found} )) && compadd -l -V svc -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' "\${end[@]}" -d shown -a found
}

_svc_register() {
  add-zsh-hook -d precmd _svc_register
  [[ "\${_comps[svc]-}" == _svc ]] && return
  (( $+functions[compdef] )) || { autoload -Uz compinit; compinit -i -D }
  compdef _svc svc lead-calling
}

if [[ "\${funcstack[1]}" == _svc ]]; then
  _svc "$@"
else
  (( $+functions[compdef] )) && compdef _svc svc lead-calling
  autoload -Uz add-zsh-hook
  add-zsh-hook precmd _svc_register
fi
`

const fish = `# Completion of svc for fish: svc autocomplete fish | source
function __svc_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -q words[1]; and set -e words[1]
    set -l lines (svc complete fish -- $words "$current" 2>/dev/null)
    set -q lines[1]; or return 0
    if string match -q 'files *' -- $lines[1]
        set -l endings (string replace 'files ' '' -- $lines[1])
        set -l found (__fish_complete_path "$current" | string match -r -- '^[^\\t]*(?:/|\\.(?:'$endings'))(?:\\t.*)?$')
        if set -q found[1]
            printf '%s\\n' $found
            return 0
        end
        set lines[1] files
    end
    if test "$lines[1]" = files
        __fish_complete_path "$current"
        return 0
    end
    set -e lines[1]
    set -q lines[1]; and printf '%s\\n' $lines
    return 0
end

complete -c svc -f -k -a '(__svc_complete)'
complete -c lead-calling -w svc
`

export const completionScripts: Readonly<Record<string, string>> = { bash, zsh, fish }
