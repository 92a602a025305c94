// R01 for changes that share transactions: 48 accounts, each with two programs that change parts of one widget at once while a
// third sends. After a kill, each part has a value that was accepted last or was under way, and every accepted send is there once.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import type { Environment } from '../../src/runtime/config.ts'
import { type Answer, createClient, NoAnswer, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { eventually } from '../support/eventually.ts'
import { startHeliograph } from '../support/heliograph-process.ts'
import { amountOf, measured } from '../support/reliability/measured.ts'
import { listedValues } from '../support/writers/subjects.ts'
import { createWriters } from '../support/writers.ts'

const ACCOUNTS = 48
const KILLS = 4 * inject('rounds')
// The kill comes after so many changes of the round, and some more.
const CHANGES_PER_ROUND = 500
const moreMs = () => Math.random() * 200

// The fields of the widget that the two programs change, and what each account has sent and got accepted.
const PARTS = ['value', 'subtitle'] as const
type Counts = { sent: number; accepted: number }
type Account = {
  token: string
  parts: Record<(typeof PARTS)[number], Counts>
  sends: Counts
  acceptedSends: Set<number>
}

const newAccount = ({ token }: { token: string }): Account => ({
  token,
  parts: { value: { sent: 0, accepted: 0 }, subtitle: { sent: 0, accepted: 0 } },
  sends: { sent: 0, accepted: 0 },
  acceptedSends: new Set(),
})

async function addWidget(api: TestClient, { token }: Account) {
  const content = { template: 'value', value: 0, subtitle: '0' }
  expect((await api.post('/widgets', { slug: 'shared', name: 'W', content }, token)).status).toBe(201)
}

const PATCHES = {
  value: (n: number) => ({ content: { value: n } }),
  subtitle: (n: number) => ({ content: { subtitle: String(n) } }),
}

const programsOf = (api: TestClient, account: Account) => [
  ...PARTS.map((part) =>
    untilKilled(account.parts[part], async (n) => {
      const answer = await api.patch('/widgets/shared', PATCHES[part](n), account.token)
      return isAccepted(answer, 200)
    }),
  ),
  untilKilled(account.sends, async (n) => {
    const answer = await api.post('/notifications', { title: `N ${n}`, body: 'B', push: false }, account.token)
    if (!isAccepted(answer, 201)) return false
    account.acceptedSends.add(n)
    return true
  }),
]

// The database of a machine that is very busy does not always answer in time: 503, and the change may be stored or not.
function isAccepted({ status, text }: Answer, success: number): boolean {
  expect([success, 503], text).toContain(status)
  return status === success
}

async function untilKilled(counts: Counts, send: (n: number) => Promise<boolean>): Promise<void> {
  for (;;) {
    counts.sent += 1
    try {
      if (await send(counts.sent)) counts.accepted = counts.sent
    } catch (error) {
      if (error instanceof NoAnswer) return
      throw error
    }
  }
}

// Changes of a part are sent one after the other, so only those after the last accepted one may be stored or not.
async function check(api: TestClient, { token, parts, acceptedSends }: Account) {
  const { content } = (await api.get('/widgets/shared', token)).body
  for (const part of PARTS) {
    const { accepted, sent } = parts[part]
    const found = Number(content[part])
    expect(found, `${part}, of which ${accepted} was accepted`).toBeGreaterThanOrEqual(accepted)
    expect(found).toBeLessThanOrEqual(sent)
    parts[part].accepted = found
  }
  const stored = await listedValues(api, '/notifications', token, 'N ')
  expect(new Set(stored).size, 'sends stored twice').toBe(stored.length)
  expect(
    [...acceptedSends].filter((n) => !stored.includes(n)),
    'lost sends',
  ).toEqual([])
  expect((await api.get('/notifications/unread-count', token)).body).toEqual({ count: stored.length })
}

const countChanges = (accounts: Account[]): number =>
  accounts.reduce(
    (sum, { parts, acceptedSends }) => sum + parts.value.accepted + parts.subtitle.accepted + acceptedSends.size,
    0,
  )

describe.each(['sqlite', 'postgres'] as const)('R01 grouped changes on %s', (kind) => {
  test(`${KILLS} kills lose no accepted change, and no update of a part by a change of the other`, {
    timeout: KILLS * 60_000,
  }, async () => {
    const database = await createTestDatabase(kind)
    onTestFinished(() => database.drop())
    const environment: Environment = {
      ...database.environment,
      HELIOGRAPH_PORT: '0',
      HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
    }
    let changes = 0
    for (let kills = 0; kills < KILLS; ) {
      // New accounts now and then, because every check reads whole inboxes.
      const accounts = (await createWriters(environment, ACCOUNTS)).map(newAccount)
      let server = await startHeliograph(['serve'], { environment })
      let api = createClient(server.url)
      for (const account of accounts) await addWidget(api, account)
      for (const end = Math.min(kills + 4, KILLS); kills < end; kills++) {
        const programs = accounts.flatMap((account) => programsOf(api, account))
        const before = countChanges(accounts)
        await eventually(() => expect(countChanges(accounts) - before).toBeGreaterThan(CHANGES_PER_ROUND))
        await delay(moreMs())
        await server.end('SIGKILL')
        await Promise.all(programs)
        server = await startHeliograph(['serve'], { environment })
        api = createClient(server.url)
        for (const account of accounts) await check(api, account)
      }
      expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
      changes += countChanges(accounts)
    }
    measured(
      'R01',
      kind,
      `${amountOf(changes, 'change')} of ${ACCOUNTS} accounts that share transactions, ${amountOf(KILLS, 'kill')}: no update lost`,
    )
  })
})
