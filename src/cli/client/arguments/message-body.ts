// The body of a notification: an argument, standard input, or the name of this machine.
import { fstatSync } from 'node:fs'
import { hostname } from 'node:os'
import { text } from 'node:stream/consumers'
import { LIMITS } from '../../../contract/limits.ts'

// "-" reads standard input whatever it is. Without an argument only a pipe is read: a terminal or a socket may never end,
// and a file may be the list that a loop in a shell script reads. The pipe that cron opens is empty.
export async function readBody(argument: string | undefined): Promise<string> {
  if (argument !== undefined && argument !== '-') return argument
  const body = argument === '-' || isPipe() ? shortened((await text(process.stdin)).trimEnd()) : ''
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

// Programs print more than a notification can hold; their last lines are the ones that matter.
function shortened(body: string): string {
  const chars = [...body]
  const { maxBodyChars } = LIMITS.notification
  return chars.length > maxBodyChars ? `…${chars.slice(1 - maxBodyChars).join('')}` : body
}
