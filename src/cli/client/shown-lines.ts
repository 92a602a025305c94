// The last line of each "show", for a status bar on a machine that is offline.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { cacheFolder } from '../../runtime/config.ts'
import { ClientError, EXIT_CODES } from './errors.ts'

const MARK = '…'

export function rememberLine(address: string, text: string): void {
  const file = fileFor(address)
  if (!file) return
  const { mkdirSync, renameSync, writeFileSync } = process.getBuiltinModule('node:fs')
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
    const unfinished = `${file}.${process.pid}.tmp`
    writeFileSync(unfinished, text, { mode: 0o600 })
    renameSync(unfinished, file)
  } catch {
    // A full disk or a read-only home must not cost the line itself.
  }
}

// What was shown last, and that it is old. Undefined if the server has answered, or if there is nothing.
export function lastLine(address: string, form: string, error: unknown): string | undefined {
  const isOffline = error instanceof ClientError && error.exitCode === EXIT_CODES.unavailable
  const file = isOffline ? fileFor(address) : undefined
  if (!file) return undefined
  try {
    return marked(form, process.getBuiltinModule('node:fs').readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function marked(form: string, text: string): string {
  if (form === 'waybar') {
    const line = JSON.parse(text)
    return JSON.stringify({ ...line, class: [...line.class, 'offline'] })
  }
  if (form === 'i3blocks-json') {
    const line = JSON.parse(text)
    return JSON.stringify({ ...line, full_text: line.full_text + MARK })
  }
  const [first = '', ...rest] = text.split('\n')
  // In the menus of SwiftBar, xbar and Argos, what follows the bar is not shown.
  const hasParameters = ['swiftbar', 'xbar', 'argos'].includes(form)
  const end = hasParameters ? first.indexOf('|') : -1
  const shown = end < 0 ? first : first.slice(0, end)
  const header = `${shown.trimEnd()}${MARK}${first.slice(shown.trimEnd().length)}`
  return [header, ...rest].join('\n')
}

// The name says nothing of the address, which may have the token of a link.
function fileFor(address: string): string | undefined {
  const folder = cacheFolder()
  return folder && join(folder, 'lines', createHash('sha256').update(address).digest('hex').slice(0, 32))
}
