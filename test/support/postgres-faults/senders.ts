// Clients that send notifications one after the other, to several nodes, and log every request and its answers. After a
// fault the log is compared with the database: an accepted one is stored once, a refused one is not stored, and one
// whose outcome the answer left open is stored at most once.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { OwnServer } from './own-server.ts'

type Outcome = 'accepted' | 'refused' | 'open'
type Request = { title: string; repeats: boolean; outcomes: Outcome[] }

export type Senders = {
  // Resolves when each sender has had this many more accepted, with the milliseconds that took. Senders that repeat do not
  // count: a request whose outcome was open is repeated until the first one counts as abandoned, for ten seconds.
  untilAccepted(more: number): Promise<number>
  // The same for the senders to other nodes than this one.
  untilAcceptedByOthers(more: number, nodeUrl: string): Promise<number>
  // Stops sending, and resolves with what the log says.
  end(): Promise<SendersLog>
}

export type SendersLog = {
  requests: Request[]
  accepted: number
  refused: number
  open: number
  // Requests without an answer, which only a killed node may cause.
  unanswered: number
  slowestMs: number
  // Answers that no client should get: other statuses, or no Retry-After.
  failures: string[]
}

// A sender of its own pace: the faults are not found by load, and the machine is shared.
const PAUSE_MS = 5
const RETRY_MS = 200

const repeatsOf = (sender: number) => sender % 2 === 0

export type SenderAccount = { token: string; nodeUrl: string }

// Half of them repeat a request that was not accepted, with its Idempotency-Key, until it is.
// `body` is what all notifications have besides a title.
export function startSenders(accounts: SenderAccount[], body: object = { push: false }): Senders {
  const run = randomBytes(4).toString('hex')
  const requests: Request[] = []
  const failures: string[] = []
  const acceptedBy = accounts.map(() => 0)
  let unanswered = 0
  let slowestMs = 0
  let isOver = false

  async function sendAll(sender: number, { token, nodeUrl }: SenderAccount) {
    for (let number = 0; !isOver; number++) {
      const request: Request = { title: `${run}-${sender}-${number}`, repeats: repeatsOf(sender), outcomes: [] }
      requests.push(request)
      do {
        const outcome = await send(nodeUrl, token, request)
        request.outcomes.push(outcome)
        if (outcome === 'accepted') acceptedBy[sender] = (acceptedBy[sender] ?? 0) + 1
        await delay(outcome === 'accepted' ? PAUSE_MS : RETRY_MS)
      } while (request.repeats && request.outcomes.at(-1) !== 'accepted')
    }
  }

  async function send(url: string, token: string, { title, repeats }: Request): Promise<Outcome> {
    const startedMs = performance.now()
    try {
      const answer = await fetch(`${url}/notifications`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(repeats && { 'idempotency-key': title }),
        },
        body: JSON.stringify({ title, body: 'B', ...body }),
      })
      return outcomeOf(answer.status, answer.headers, await answer.text())
    } catch {
      unanswered += 1
      return 'open'
    } finally {
      slowestMs = Math.max(slowestMs, performance.now() - startedMs)
    }
  }

  function outcomeOf(status: number, headers: Headers, text: string): Outcome {
    if (status === 201) return 'accepted'
    const isInProgress = status === 409 && text.includes('idempotency.in_progress')
    if (!(status === 503 || isInProgress) || !headers.get('retry-after')) failures.push(`${status} ${text}`)
    return text.includes('may have been carried out') ? 'open' : 'refused'
  }

  async function untilAccepted(more: number, isMeant: (sender: number) => boolean): Promise<number> {
    const [goals, startedMs] = [acceptedBy.map((count) => count + more), performance.now()]
    const isBehind = (goal: number, sender: number) =>
      isMeant(sender) && !repeatsOf(sender) && (acceptedBy[sender] as number) < goal
    while (goals.some(isBehind)) await delay(20)
    return performance.now() - startedMs
  }

  const sending = accounts.map((account, sender) => sendAll(sender, account))
  return {
    untilAccepted: (more) => untilAccepted(more, () => true),
    untilAcceptedByOthers: (more, nodeUrl) => untilAccepted(more, (sender) => accounts[sender]?.nodeUrl !== nodeUrl),
    async end() {
      isOver = true
      await Promise.all(sending)
      const count = (outcome: Outcome) => requests.filter(({ outcomes }) => outcomes.at(-1) === outcome).length
      return {
        requests,
        accepted: count('accepted'),
        refused: count('refused'),
        open: count('open'),
        unanswered,
        slowestMs: Math.round(slowestMs),
        failures,
      }
    },
  }
}

export async function expectStoredAsLogged(server: OwnServer, { requests }: SendersLog): Promise<void> {
  const stored = await countByTitle(server)
  const wrong = requests.flatMap((request) => {
    const count = stored.get(request.title) ?? 0
    return isPossible(request, count) ? [] : [{ ...request, stored: count }]
  })
  expect(wrong).toEqual([])
}

function isPossible({ outcomes }: Request, stored: number): boolean {
  if (outcomes.includes('accepted')) return stored === 1
  return outcomes.includes('open') ? stored <= 1 : stored === 0
}

async function countByTitle(server: OwnServer): Promise<Map<string, number>> {
  const rows = await server.run(`select content::json ->> 'title' as title, count(*)::int as count
    from notification_contents group by 1`)
  return new Map(rows.map(({ title, count }) => [title as string, count as number]))
}
