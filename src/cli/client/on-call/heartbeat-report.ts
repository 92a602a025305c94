// Reports a running program to a heartbeat: its start, and its exit status with the end of its errors. Reports never delay
// the program; what fails is told in one line.
import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../../../contract/limits.ts'
import { ClientError } from '../errors.ts'
import type { SendPing } from '../ping.ts'

export type HeartbeatReport = { addError(line: string): void; finish(exitStatus: number): Promise<void> }

// How long the program's exit code may be held back for the last ping.
const FINISH_PATIENCE_MS = 5000

export function startHeartbeatReport(pinger: Promise<SendPing>, warn: (message: string) => void): HeartbeatReport {
  // Overlapping runs of the same job are told apart by it.
  const rid = randomUUID()
  const errors: string[] = []
  let errorBytes = 0
  const ping = async (action: string, body?: string) => {
    try {
      await (await pinger)(`${action}?rid=${rid}`, body)
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      warn(error.message)
    }
  }
  const started = ping('/start')
  return {
    addError(line) {
      errors.push(line)
      errorBytes += bytesOf(line)
      while (errorBytes > LIMITS.heartbeat.maxKeptBodyBytes) errorBytes -= bytesOf(errors.shift() ?? '')
    },
    async finish(exitStatus) {
      const ended = started.then(() => ping(`/${exitStatus}`, errors.join('\n'))).then(() => true)
      const inTime = await Promise.race([ended, sleep(FINISH_PATIENCE_MS, false)])
      if (!inTime) warn(`the server has not answered within ${FINISH_PATIENCE_MS / 1000} s`)
    },
  }
}

// With the line break that follows it.
const bytesOf = (line: string): number => Buffer.byteLength(line) + 1
