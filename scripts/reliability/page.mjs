// docs/reliability.md from the results of one run.
import { DATABASES, faultsOf, outcomeOf } from './outcomes.mjs'
import { REQUIREMENTS, SECTIONS } from './requirements.mjs'
import { mainRunOf } from './results.mjs'

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

export function renderPage(results, machine) {
  const sections = SECTIONS.map(({ title, requirements }) => {
    const rows = Object.keys(requirements).map((number) => rowOf(results, number))
    const table = `## ${title}\n\n| | Promise | SQLite | PostgreSQL |\n|---|---|---|---|\n${rows.join('\n')}\n`
    return 'R18' in requirements ? table + faultTable(faultsOf(results, 'R18')) : table
  })
  return [
    '<!-- Written by "npm run test:faults" (scripts/reliability.mjs). -->',
    INTRODUCTION,
    `The figures below are of ${mainRunOf(results)}, ${machine}, unless they have another day and commit beside them.\n`,
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

// R18, one row for each fault.
function faultTable(faults) {
  if (faults.length === 0) return ''
  const rows = faults.map(({ name, accepted, lost, doubled, refused, slowestMs, recoveryMs }) => {
    const counts = [accepted, lost, doubled, refused].map((count) => count.toLocaleString('en-US'))
    return `| ${[escaped(name), ...counts, seconds(slowestMs), seconds(recoveryMs)].join(' | ')} |`
  })
  return `
The faults of R18: eight clients send to two nodes, one request after the other, while PostgreSQL fails. A refused request was
answered with 503 and \`Retry-After\`; if the answer says that the request may have been carried out, it is stored once or not
at all.

| Fault | Accepted | Lost | Doubled | Refused | Slowest answer | Working again after |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

const escaped = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

function shortcomings(results) {
  const lines = Object.entries(REQUIREMENTS).flatMap(([number, { missing, elsewhere, partly, minor }]) => {
    const outcomes = Object.entries(DATABASES).map(([database, name]) => [name, outcomeOf(results, number, database)])
    const failing = outcomes.filter(([, { verdict }]) => verdict === 'fails').map(([name]) => name)
    const untested = outcomes.filter(([, { verdict }]) => verdict === 'not tested').map(([name]) => name)
    const rank = minor ? '' : ', which a release requires'
    return [
      ...(failing.length > 0 ? [`${number} fails on ${failing.join(' and ')}${rank}.`] : []),
      ...(untested.length > 0 && !elsewhere ? [`${number} was not tested on ${untested.join(' and ')}${rank}.`] : []),
      ...(untested.length > 0 && elsewhere ? [`${number} is tested by another suite: ${elsewhere}.`] : []),
      ...(partly ? [`${number} is also tested by another suite, whose results are not shown here: ${partly}.`] : []),
      ...(missing ? [`${number}: ${missing}`] : []),
    ]
  })
  return `## What fails, and what these tests do not show\n\n${lines.map((line) => `- ${line}\n`).join('')}`
}
