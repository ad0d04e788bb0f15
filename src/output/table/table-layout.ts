/** Lays out cells side by side with cli-table3, quickly enough for 10,000 rows. */

const frameParts = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
  'middle',
]

/** `columns` are the texts of each column, all cut and padded to the width of that column. Returns the lines. */
export async function layOut(
  columns: readonly (readonly string[])[],
  widths: readonly number[],
  gap: number,
): Promise<string[]> {
  const Table = await loadTable()
  const table = new Table({
    // Without frames: spaces separate the columns.
    chars: Object.fromEntries(frameParts.map((part) => [part, ''])),
    style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [], compact: true },
    colWidths: widths.map((width) => width + gap),
  })
  // One row with a cell of many lines for each column. The package needs quadratic time in the number of rows.
  table.push(columns.map((texts) => texts.join('\n')))
  return table.toString().split('\n')
}

/**
 * The package measures each line of a cell up to 16 times, with a function that compiles a regular expression each time. Our
 * texts have the right width already, so it does not need to measure, cut or pad them.
 */
async function loadTable() {
  const [{ default: Table }, { default: utils }] = await Promise.all([
    import('cli-table3'),
    import('cli-table3/src/utils.js'),
  ])
  utils.strlen = (text) => text.length
  utils.truncate = (text) => text
  utils.pad = (text) => text
  return Table
}
