/** Completion for bash 3.2 and later (macOS ships 3.2). */
import type { Place } from './vocabulary.js'

export function bashScript(bin: string, places: readonly Place[]): string {
  const fn = `_${bin}`
  const known = places.filter(({ path }) => path !== '')
  return `# Completion of ${bin} for bash: eval "$(${bin} autocomplete bash)"
${fn}_place() {
  case "$1" in
${known.map(({ path }) => `    "${path}") return 0 ;;`).join('\n')}
  esac
  return 1
}

${fn}_values() {
  case "$1" in
${places.flatMap(valueCases).join('\n')}
  esac
}

${fn}_words() {
  case "$1" in
${places.map(({ path, words, values }) => `    "${path}") echo "${[...words.map(({ word }) => word), ...values].join(' ')}" ;;`).join('\n')}
  esac
}

${fn}_flags() {
  case "$1" in
${places.map(({ path, flags }) => `    "${path}") echo "${[...flags.map(({ word }) => `--${word}`), '--help'].join(' ')}" ;;`).join('\n')}
  esac
}

${fn}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" place="" next at values
  for ((at = 1; at < COMP_CWORD; at++)); do
    next="\${place:+$place }\${COMP_WORDS[at]}"
    ${fn}_place "$next" && place="$next"
  done
  values="$(${fn}_values "$place $before")"
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [ "\${current:0:1}" = "-" ]; then
    COMPREPLY=($(compgen -W "$(${fn}_flags "$place")" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$(${fn}_words "$place")" -- "$current"))
  fi
}

complete -o default -F ${fn} ${bin}
`
}

function valueCases({ path, flags }: Place): string[] {
  return flags
    .filter(({ values }) => values.length > 0)
    .map(({ word, char, values }) => {
      const patterns = [`--${word}`, ...(char ? [`-${char}`] : [])].map((flag) => `"${path} ${flag}"`)
      return `    ${patterns.join(' | ')}) echo "${values.join(' ')}" ;;`
    })
}
