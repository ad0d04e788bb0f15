/** Completion for fish. */
import type { CompletedFlag, Place } from './vocabulary.js'

export function fishScript(bin: string, places: readonly Place[]): string {
  const known = places.filter(({ path }) => path !== '').map(({ path }) => quoteForFish(path))
  const at = (path: string) => `-n ${quoteForFish(`__${bin}_at ${quoteForFish(path)}`)}`
  const lines = places.flatMap(({ path, words, values, flags }) => [
    ...words.map(
      ({ word, summary }) => `complete -c ${bin} -f ${at(path)} -a ${quoteForFish(word)}${formatSummary(summary)}`,
    ),
    ...(values.length > 0 ? [`complete -c ${bin} -f ${at(path)} -a ${quoteForFish(values.join(' '))}`] : []),
    ...flags.map((flag) => `complete -c ${bin} ${at(path)} ${formatFlag(flag)}`),
  ])
  return `# Completion of ${bin} for fish: ${bin} autocomplete fish | source
function __${bin}_at
    set -l place
    for word in (commandline -opc)[2..-1]
        set -l next (string join -- ' ' $place $word)
        if contains -- "$next" ${known.join(' ')}
            set place $next
        end
    end
    test "$place" = "$argv[1]"
end

${lines.join('\n')}
`
}

function formatFlag({ word, char, summary, takesValue, values }: CompletedFlag): string {
  const short = char ? ` -s ${char}` : ''
  const value = values.length > 0 ? ` -x -a ${quoteForFish(values.join(' '))}` : takesValue ? ' -r' : ''
  return `-l ${word}${short}${value}${formatSummary(summary)}`
}

const formatSummary = (summary: string): string => (summary === '' ? '' : ` -d ${quoteForFish(summary)}`)

const quoteForFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
