/** Completion for zsh. */
import type { CompletedFlag, Place } from './vocabulary.js'

export function zshScript(bin: string, places: readonly Place[]): string {
  const fn = `_${bin}`
  return `#compdef ${bin}
# Completion of ${bin} for zsh: eval "$(${bin} autocomplete zsh)"
${fn}() {
  local place="" next at
  local -a found
  for ((at = 2; at < CURRENT; at++)); do
    next="\${place:+$place }\${words[at]}"
    case "$next" in
${places
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      ${quoteForZsh(path)}) place="$next" ;;`)
  .join('\n')}
    esac
  done
  case "$place \${words[CURRENT - 1]}" in
${places.flatMap(valueCases).join('\n')}
  esac
  case "$place" in
${places.map((place) => placeCase(place)).join('\n')}
  esac
  _files
}

if (( $+functions[compdef] )); then compdef ${fn} ${bin}; fi
`
}

function valueCases({ path, flags }: Place): string[] {
  return flags
    .filter(({ values }) => values.length > 0)
    .map(({ word, char, values }) => {
      const patterns = [`--${word}`, ...(char ? [`-${char}`] : [])].map((flag) => quoteForZsh(`${path} ${flag}`))
      return `    ${patterns.join('|')}) compadd -- ${values.map(quoteForZsh).join(' ')}; return ;;`
    })
}

function placeCase({ path, words, values, flags }: Place): string {
  const described = (name: string, summary: string) =>
    quoteForZsh(summary === '' ? name : `${name.replaceAll(':', '\\:')}:${summary}`)
  const below = [
    ...words.map(({ word, summary }) => described(word, summary)),
    ...values.map((value) => described(value, '')),
  ]
  const spelled = (flag: CompletedFlag) => described(`--${flag.word}`, flag.summary)
  return `    ${quoteForZsh(path)})
      if [[ "\${words[CURRENT]}" == -* ]]; then
        found=(${[...flags.map(spelled), quoteForZsh('--help')].join(' ')})
        _describe flag found
        return
      fi
      found=(${below.join(' ')})
      (( \${#found} )) && _describe command found && return ;;`
}

const quoteForZsh = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
