// Runs a shell command for each notification. The command finds the notification in its environment, so that no text of a
// sender is ever part of what the shell reads.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { NotificationView } from '../../../contract/notifications/notification.ts'
import { environmentWith } from '../../../runtime/config.ts'

// One at a time, in the order of the calls. A failure is told and does not stop the next.
export function runInOrder(command: string): (notification: NotificationView) => void {
  let last = Promise.resolve()
  return (notification) => {
    last = last.then(() => runFor(command, notification))
  }
}

async function runFor(command: string, notification: NotificationView): Promise<void> {
  const outcome = await exitOf(command, notification)
  if (outcome !== 0) console.error(`heliograph: the command for notification ${notification.id} ended with ${outcome}`)
}

async function exitOf(command: string, notification: NotificationView): Promise<unknown> {
  try {
    const environment = environmentWith(variablesOf(notification))
    const child = spawn(command, { shell: true, stdio: ['ignore', 'inherit', 'inherit'], env: environment })
    const [exitCode, signal] = await once(child, 'close')
    return exitCode ?? signal
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

function variablesOf(notification: NotificationView): Record<string, string> {
  const { id, title, subtitle, body, level, source, thread_id: thread, url: link, created_at } = notification
  const values = {
    id,
    title,
    subtitle,
    body,
    level,
    source,
    thread,
    link,
    created_at,
    json: JSON.stringify(notification),
  }
  const entries = Object.entries(values).map(([name, value]): [string, string] => [
    `NOTIFICATION_${name.toUpperCase()}`,
    // A variable cannot hold the character NUL.
    String(value ?? '').replaceAll('\0', ''),
  ])
  return Object.fromEntries(entries)
}
