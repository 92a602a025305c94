// Reports a running program as a live activity. Reports never delay the program; when the server cannot be reached, one
// warning is printed and later reports try again.
import { LIMITS } from '../../contract/limits.ts'
import { toUnixSeconds } from '../../domain/instant.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Api } from './api.ts'
import { ClientError, EXIT_CODES } from './errors.ts'
import type { Line } from './last-lines.ts'
import { durationInWords } from './options.ts'

const FIRST_INTERVAL_MS = 2000
// The longer a program runs, the rarer the updates: an hour takes about 60, so that the quota of a free account lasts.
const INTERVAL_OF_ELAPSED = 0.1

export type Outcome = { isSuccess: boolean; words: string }
export type ActivityReport = { add(text: string): void; finish(outcome: Outcome): Promise<void> }

export function startReport(api: Api, slug: string, title: string, warn: (message: string) => void): ActivityReport {
  const startedMs = systemClock.monotonicMs()
  const elapsedMs = () => systemClock.monotonicMs() - startedMs
  let lines: Line[] = [lineNow(`$ ${title}`)]
  let sending = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let hasStopped = false

  const send = (patch: object) => {
    sending = sending.then(() => patchActivity(api, slug, patch)).catch((error) => giveUpOrWarn(error))
    return sending
  }
  const giveUpOrWarn = (error: unknown) => {
    if (!(error instanceof ClientError)) throw error
    // A refusal does not change while the program runs.
    hasStopped ||= error.exitCode !== EXIT_CODES.unavailable
    warn(error.message)
  }
  const update = () => {
    timer = undefined
    if (!hasStopped) void send({ state: 'ongoing', content: { ...running(title, elapsedMs()), lines } })
  }
  update()
  return {
    add(text) {
      lines = [lineNow(text), ...lines].slice(0, LIMITS.activity.maxLines)
      timer ??= setTimeout(update, Math.max(FIRST_INTERVAL_MS, elapsedMs() * INTERVAL_OF_ELAPSED))
    },
    async finish(outcome) {
      clearTimeout(timer)
      if (!hasStopped) await send({ state: 'ended', content: { ...ended(outcome, elapsedMs()), lines } })
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

const running = (title: string, elapsedMs: number) => ({
  template: 'log',
  state: shortened(title),
  subtitle: `running for ${durationInWords(elapsedMs / 1000)}`,
  icon: 'terminal',
  accent_color: 'blue',
})

const ended = ({ isSuccess, words }: Outcome, elapsedMs: number) => ({
  template: 'log',
  state: shortened(`${words} after ${durationInWords(elapsedMs / 1000)}`),
  subtitle: null,
  icon: isSuccess ? 'checkmark.circle' : 'xmark.circle',
  accent_color: isSuccess ? 'green' : 'red',
})

const shortened = (text: string) => [...text].slice(0, LIMITS.activity.maxTextChars).join('')
