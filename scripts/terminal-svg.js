// Renders terminal output as an SVG image: colors, bold and dim, carriage returns, line clearing and wrapping.

const cell = { width: 8.4, height: 20, size: 14 }
const margin = 16
const colors = new Map([
  [31, '#ff7b72'],
  [32, '#7ee787'],
  [33, '#e3b341'],
  [34, '#79c0ff'],
  [35, '#d2a8ff'],
  [36, '#76e3ea'],
  [90, '#8b949e'],
])
const plain = { bold: false, dim: false, color: '#e6edf3' }

/** The style after an SGR escape sequence. */
function styled(style, numbers) {
  return numbers.reduce((now, number) => {
    if (number === 0) return plain
    if (number === 1) return { ...now, bold: true }
    if (number === 2) return { ...now, dim: true }
    if (number === 22) return { ...now, bold: false, dim: false }
    if (number === 39) return { ...now, color: plain.color }
    return { ...now, color: colors.get(number) ?? now.color }
  }, style)
}

/** The final rows of the screen, each an array of { sign, style }. */
function screenOf(text, columns) {
  const rows = [[]]
  let [row, column, style] = [0, 0, plain]
  const to = (next) => {
    row = next
    while (rows.length <= row) rows.push([])
  }
  const pieces = new RegExp(`${String.fromCharCode(27)}\\[([?\\d;]*)([A-Za-z])|[^]`, 'gu')
  for (const [sign, given = '', letter] of text.matchAll(pieces)) {
    if (letter === 'm') style = styled(style, given.split(';').map(Number))
    else if (letter === 'K') rows[row].length = Math.min(rows[row].length, column)
    else if (letter === 'A') to(Math.max(0, row - (Number(given) || 1)))
    else if (letter === 'G') column = (Number(given) || 1) - 1
    else if (letter !== undefined) continue
    else if (sign === '\r') column = 0
    else if (sign === '\n') [column] = [0, to(row + 1)]
    else {
      if (column === columns) [column] = [0, to(row + 1)]
      while (rows[row].length < column) rows[row].push({ sign: ' ', style: plain })
      rows[row][column++] = { sign, style }
    }
  }
  while (rows.length > 0 && rows.at(-1).length === 0) rows.pop()
  return rows
}

/** Joins neighboring characters of one style. Wide gaps split them, because the text after a gap has a fixed column. */
function runsOf(row) {
  const runs = []
  for (const [column, { sign, style }] of row.entries()) {
    const last = runs.at(-1)
    if (last && last.style === style) last.text += sign
    else runs.push({ column, style, text: sign })
  }
  return runs.flatMap(({ column, style, text }) =>
    [...text.matchAll(/\S+(?: \S+)*/g)].map((part) => ({ column: column + part.index, style, text: part[0] })),
  )
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const rounded = (number) => Number(number.toFixed(1))

function drawn({ column, style, text }, row) {
  const place = `x="${rounded(margin + column * cell.width)}" y="${margin + row * cell.height + cell.size}"`
  // Columns stay aligned with any font.
  const length = `textLength="${rounded([...text].length * cell.width)}" lengthAdjust="spacingAndGlyphs"`
  const look = `fill="${style.color}"${style.bold ? ' font-weight="bold"' : ''}${style.dim ? ' opacity="0.65"' : ''}`
  return `<text ${place} ${length} ${look}>${escaped(text)}</text>`
}

/** The SVG image. `title` is the text for screen readers. */
export function svgOf(text, { title, columns }) {
  const rows = screenOf(text, columns)
  const width = Math.ceil(columns * cell.width + 2 * margin)
  const height = rows.length * cell.height + 2 * margin
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="${cell.size}">`,
    ...rows.flatMap((row, at) => runsOf(row).map((run) => drawn(run, at))),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}
