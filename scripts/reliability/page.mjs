// docs/reliability.md from the results of one run.
import { DATABASES, outcomeOf } from './outcomes.mjs'
import { REQUIREMENTS, SECTIONS } from './requirements.mjs'

const INTRODUCTION = `# Reliability

What Heliograph promises, and what its tests measured. The tests start the program as an operator does, kill it, cut its
connections, fill its disk and send it garbage, while clients record every answer; then a checker compares these records
with the database and with what the fake push services, mail servers and receivers of callbacks got.

Run them with \`npm run test:faults\`, which writes this page. Tests carry the numbers in their names:
\`grep -rn R16 test\` finds the tests of R16.

## What “once” means

| What | Promise | How |
|---|---|---|
| An answer with 2xx | The change is on disk before the answer. | commit, then answer; SQLite with \`synchronous=FULL\`, PostgreSQL with \`synchronous_commit=on\` |
| A scheduled notification, an occurrence of a series | One entry in the inbox, one unit of the quota. | the entry, the charge and the next due time are one transaction |
| A push to a device | At least once. A duplicate is possible only if the process dies between the push service's answer and our commit; it has the same \`apns-id\`, by which the phone drops it. | the id is derived from notification, device and repeat |
| A repeat of an alert | At most once for each repeat, never after the alert has ended. | compare-and-set on the receipt, in the transaction that enqueues the pushes |
| A callback | At least once, at most 7 attempts, each with the same \`webhook-id\`. | the attempt is counted before it is sent |
| A push of a widget | At most one in each window, over all nodes; the newest content is always pushed. | the due time is a row |
`

export function renderPage(results, { day, commit, machine, node }) {
  const sections = SECTIONS.map(({ title, requirements }) => {
    const rows = Object.keys(requirements).map((number) => rowOf(results, number))
    return `## ${title}\n\n| | Promise | SQLite | PostgreSQL |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return [
    '<!-- Written by "npm run test:faults" (scripts/reliability.mjs). -->',
    INTRODUCTION,
    `The figures below are of ${day}, commit ${commit}, Node.js ${node}, ${machine}.\n`,
    ...sections,
    shortcomings(results),
  ].join('\n')
}

function rowOf(results, number) {
  const cells = Object.keys(DATABASES).map((database) => cellOf(outcomeOf(results, number, database)))
  return `| ${number} | ${REQUIREMENTS[number].promise} | ${cells.join(' | ')} |`
}

function cellOf({ verdict, text }) {
  if (verdict === 'holds') return escaped(text)
  if (verdict === 'no subject') return 'does not apply'
  return escaped(`**${verdict}**${text ? `: ${text}` : ''}`)
}

const escaped = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

function shortcomings(results) {
  const lines = Object.entries(REQUIREMENTS).flatMap(([number, { missing, elsewhere, minor }]) => {
    const outcomes = Object.entries(DATABASES).map(([database, name]) => [name, outcomeOf(results, number, database)])
    const failing = outcomes.filter(([, { verdict }]) => verdict === 'fails').map(([name]) => name)
    const untested = outcomes.filter(([, { verdict }]) => verdict === 'not tested').map(([name]) => name)
    const rank = minor ? '' : ', which a release requires'
    return [
      ...(failing.length > 0 ? [`${number} fails on ${failing.join(' and ')}${rank}.`] : []),
      ...(untested.length > 0 && !elsewhere ? [`${number} was not tested on ${untested.join(' and ')}${rank}.`] : []),
      ...(elsewhere ? [`${number} is tested by another suite: ${elsewhere}.`] : []),
      ...(missing ? [`${number}: ${missing}`] : []),
    ]
  })
  return `## What fails, and what these tests do not show\n\n${lines.map((line) => `- ${line}\n`).join('')}`
}
