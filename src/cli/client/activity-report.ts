// Reports a running program as a live activity. Reports never delay the program; when the server cannot be reached, one
// warning is printed and later reports try again.
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../../contract/limits.ts'
import { toUnixSeconds } from '../../domain/instant.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Api } from './api.ts'
import { durationInWords } from './arguments/options.ts'
import { ClientError } from './errors.ts'
import type { Line } from './last-lines.ts'
import { isTemporary } from './wait.ts'

const FIRST_INTERVAL_MS = 2000
// The longer a program runs, the rarer the updates: an hour takes about 60, so that the quota of a free account lasts.
const INTERVAL_OF_ELAPSED = 0.1
// How long the program's exit code may be held back for the last report.
const FINISH_PATIENCE_MS = 5000

export type Outcome = { isSuccess: boolean; words: string }
export type ActivityReport = { add(text: string): void; finish(outcome: Outcome): Promise<void> }

export function startReport(api: Api, slug: string, title: string, warn: (message: string) => void): ActivityReport {
  const startedMs = systemClock.monotonicMs()
  const elapsedMs = () => systemClock.monotonicMs() - startedMs
  let lines: Line[] = [lineNow(`$ ${title}`)]
  let sending: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isRefused = false
  let isFinished = false

  const send = async (patch: object) => {
    await sending
    if (isRefused) return
    await patchActivity(api, slug, patch).catch((error) => {
      if (!(error instanceof ClientError)) throw error
      isRefused = !isTemporary(error) || error.problem === 'quota.exceeded'
      warn(error.message)
    })
    sending = undefined
  }
  const update = () => {
    timer = undefined
    // An update that has waited for a slow server must not follow the end.
    if (isFinished) return
    sending = send({ state: 'ongoing', content: { ...running(title), lines } })
  }
  const updateLater = () => {
    const waitMs = Math.max(FIRST_INTERVAL_MS, elapsedMs() * INTERVAL_OF_ELAPSED)
    // A server that takes longer than the interval gets one request at a time.
    timer ??= setTimeout(() => void (sending ?? Promise.resolve()).then(update), waitMs)
  }
  update()
  return {
    add(text) {
      lines = [lineNow(text), ...lines].slice(0, LIMITS.activity.maxLines)
      updateLater()
    },
    async finish(outcome) {
      isFinished = true
      clearTimeout(timer)
      const sent = send({ state: 'ended', content: { ...ended(outcome, elapsedMs()), lines } }).then(() => true)
      const inTime = await Promise.race([sent, sleep(FINISH_PATIENCE_MS, false)])
      if (!inTime) warn(`the server has not answered within ${FINISH_PATIENCE_MS / 1000} s`)
    },
  }
}

// A key that may not create activities can still update one that exists.
async function patchActivity(api: Api, slug: string, patch: object): Promise<void> {
  const path = `/activities/${encodeURIComponent(slug)}`
  try {
    await api('PATCH', `${path}?upsert=true`, patch)
  } catch (error) {
    if (!(error instanceof ClientError && error.problem === 'activity.upsert_forbidden')) throw error
    await api('PATCH', path, patch)
  }
}

const lineNow = (text: string): Line => ({ text, at: toUnixSeconds(systemClock.now()) })

const running = (title: string) => ({
  template: 'log',
  state: shortened(title),
  icon: 'terminal',
  accent_color: 'blue',
})

const ended = ({ isSuccess, words }: Outcome, elapsedMs: number) => ({
  template: 'log',
  state: shortened(`${words} after ${durationInWords(elapsedMs / 1000)}`),
  icon: isSuccess ? 'checkmark.circle' : 'xmark.circle',
  accent_color: isSuccess ? 'green' : 'red',
})

const shortened = (text: string) => [...text].slice(0, LIMITS.activity.maxTextChars).join('')
