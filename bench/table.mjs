// Formats the results as one table: the measurement, its value, its goal, whether it is met, and a note.

const NAMES = ['', 'result', 'goal', '', '']

export function inTable(sections) {
  const lines = [NAMES]
  for (const { title, rows, failure } of sections) {
    lines.push([title])
    for (const row of rows ?? [])
      lines.push([`  ${row.what}`, resultOf(row), goalOf(row), verdictOn(row), row.note ?? ''])
    if (failure) lines.push(['  could not be measured', failure])
  }
  const widths = NAMES.map((_, column) => Math.max(...lines.filter(isRow).map((cells) => cells[column].length)))
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const isRow = (cells) => cells.length === NAMES.length

const resultOf = ({ value, unit = '' }) => `${rounded(value)} ${unit}`.trim()

function rounded(value) {
  if (Number.isInteger(value)) return value.toLocaleString('en')
  return value < 10 ? value.toFixed(2) : value.toFixed(0)
}

function goalOf({ atLeast, atMost }) {
  if (atLeast !== undefined) return `at least ${atLeast}`
  return atMost === undefined ? '' : `at most ${atMost}`
}

function verdictOn({ value, atLeast, atMost }) {
  if (atLeast === undefined && atMost === undefined) return ''
  return value >= (atLeast ?? value) && value <= (atMost ?? value) ? 'met' : 'MISSED'
}
