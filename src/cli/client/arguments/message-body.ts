// The body of a notification: an argument, standard input, or the name of this machine.
import { fstatSync } from 'node:fs'
import { hostname } from 'node:os'
import { LIMITS } from '../../../contract/limits.ts'

// "-" reads standard input whatever it is. Without an argument only a pipe is read: a terminal or a socket may never end,
// and a file may be the list that a loop in a shell script reads. The pipe that cron opens is empty.
export async function readBody(argument: string | undefined): Promise<string> {
  if (argument !== undefined && argument !== '-') return argument
  const body = argument === '-' || isPipe() ? shortened((await endOf(process.stdin)).trimEnd()) : ''
  return body || `from ${hostname()}`
}

function isPipe(): boolean {
  try {
    return fstatSync(0).isFIFO()
  } catch {
    // Standard input is closed.
    return false
  }
}

// A body has at most this many UTF-16 code units, and perhaps as many of blank space follow it.
const KEPT_UNITS = 2 * LIMITS.notification.maxBodyChars

// Reads all of it, and keeps what a notification can hold.
async function endOf(stream: NodeJS.ReadStream): Promise<string> {
  stream.setEncoding('utf8')
  let end = ''
  for await (const chunk of stream) {
    end += chunk
    if (end.length <= 2 * KEPT_UNITS) continue
    const text = end.trimEnd()
    end = text.slice(-KEPT_UNITS) + end.slice(text.length).slice(0, KEPT_UNITS)
  }
  return end
}

// Programs print more than a notification can hold; their last lines are the ones that matter.
function shortened(body: string): string {
  const chars = [...body]
  const { maxBodyChars } = LIMITS.notification
  return chars.length > maxBodyChars ? `…${chars.slice(1 - maxBodyChars).join('')}` : body
}
