// Alerts whose steps fall due while processes are killed: each step is taken once and in order, with one e-mail and one
// charge for it, on one node and on two.

import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openContext } from '../../src/boot/context.ts'
import type { UserCaller, UserId } from '../../src/domain/caller.ts'
import type { RecipientId } from '../../src/domain/emails/email.ts'
import { instant } from '../../src/domain/instant.ts'
import { CONTRACT_PLANS } from '../../src/domain/plans.ts'
import { hashToken } from '../../src/domain/token.ts'
import { addUser } from '../../src/operations/accounts/accounts.ts'
import type { Context } from '../../src/operations/context.ts'
import { putEscalation } from '../../src/operations/escalations/manage.ts'
import { sendNotification } from '../../src/operations/notifications/send.ts'
import { loadConfig } from '../../src/runtime/config.ts'
import { newUuid } from '../../src/runtime/ids.ts'
import { createLog } from '../../src/runtime/log.ts'
import { insertRecipient, verifyRecipient } from '../../src/store/emails.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { startFakeSmtp } from '../support/fakes/fake-smtp.ts'
import { mailSettings } from '../support/fakes/mail.ts'
import { createTestClock, type TestClock } from '../support/fakes/test-clock.ts'
import { startHeliograph } from '../support/heliograph-process.ts'
import { killInTurn } from '../support/reliability/kill-in-turn.ts'
import { amountOf, measured } from '../support/reliability/measured.ts'

const PER_ACCOUNT = 20
const ACCOUNTS = Math.min(inject('rounds'), 8) * 2
const DUE_OVER_MS = 4000 * inject('rounds')
// Leases of killed processes expire after 15 s.
const RECOVERY_MS = 90_000
// So many at least: on a slow machine a node may take longer to start than all are sent.
const LEAST_KILLS = inject('rounds')

const ADDRESS = 'ada@example.org'
const FIRST_STEP_SECONDS = 60
const STEPS = [
  { after_seconds: FIRST_STEP_SECONDS, level: 'critical' as const },
  { after_seconds: FIRST_STEP_SECONDS + 1, emails: [ADDRESS] },
  { after_seconds: FIRST_STEP_SECONDS + 2, level: 'critical' as const },
]

const CASES = [
  { kind: 'sqlite', nodes: 1 },
  { kind: 'postgres', nodes: 2 },
] as const

describe.each(CASES)('on $kind with $nodes node(s)', ({ kind, nodes }) => {
  test(`the steps of ${ACCOUNTS * PER_ACCOUNT} alerts fall due over ${DUE_OVER_MS} ms and longer, a kill every second: each is taken once`, async () => {
    const database = await createTestDatabase(kind)
    const smtp = await startFakeSmtp()
    onTestFinished(async () => {
      await smtp.close()
      await database.drop()
    })
    const environment = {
      HELIOGRAPH_PORT: '0',
      HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
      ...mailSettings(smtp.port),
      ...database.environment,
    }
    const config = loadConfig({}, environment, 'no-such-file.json')
    const clock = createTestClock()
    const { ctx, stop } = await openContext(config, { log: createLog('silent', 'json'), clock })
    const accounts = await createAccounts(ctx, clock)
    const start = () => startHeliograph(['serve'], { environment })
    const servers = await Promise.all(Array.from({ length: nodes }, start))

    let isSending = true
    const sending = sendAlerts(ctx, clock, accounts).finally(() => {
      isSending = false
    })
    const kills = await killInTurn(servers, { start, goesOn: (kills) => kills < LEAST_KILLS || isSending })
    await sending
    await stop()

    const api = createClient(servers[0]?.url ?? '')
    const isOver = async () => {
      for (const { token } of accounts) await expectAllTaken(api, token)
    }
    await vi.waitFor(isOver, { timeout: RECOVERY_MS, interval: 500 })
    for (const { token } of accounts) await expectOnceEach(api, token)
    for (const server of servers) expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    const alerts = amountOf(accounts.length * PER_ACCOUNT, 'alert')
    measured('R29', kind, `${alerts} escalated, ${amountOf(kills.length, 'kill')}: each step once`)
  })
})

type ListedReceipt = { notification_id: number; escalated_steps: number }

const receiptsOf = async (api: TestClient, token: string): Promise<ListedReceipt[]> =>
  (await api.get('/notifications/receipts?limit=100', token)).body.items

async function expectAllTaken(api: TestClient, token: string): Promise<void> {
  const steps = (await receiptsOf(api, token)).map(({ escalated_steps }) => escalated_steps)
  expect(steps).toEqual(Array(PER_ACCOUNT).fill(STEPS.length))
}

async function expectOnceEach(api: TestClient, token: string): Promise<void> {
  for (const { notification_id } of await receiptsOf(api, token)) {
    const { items } = (await api.get(`/notifications/${notification_id}/timeline`, token)).body
    const taken = items
      .filter(({ event }: { event: string }) => ['escalated', 'emailed'].includes(event))
      .map(({ event, detail }: { event: string; detail: string }) => `${event} ${detail}`)
    expect(taken).toEqual(['escalated 1/3', 'escalated 2/3', `emailed ${ADDRESS}`, 'escalated 3/3'])
  }
  expect((await api.get('/emails?limit=100', token)).body.items).toHaveLength(PER_ACCOUNT)
  expect((await api.get('/auth/me', token)).body.emails_used).toBe(PER_ACCOUNT)
}

type Account = { caller: UserCaller; token: string }

async function createAccounts(ctx: Context, clock: TestClock): Promise<Account[]> {
  clock.set(instant(Date.now() - FIRST_STEP_SECONDS * 1000))
  const accounts: Account[] = []
  for (let account = 0; account < ACCOUNTS; account++) {
    const { user, token } = await addUser(ctx, `owner-${account}`, 'paid')
    const caller: UserCaller = {
      kind: 'user',
      userId: user.id,
      accountKind: 'person',
      plan: CONTRACT_PLANS.named('paid'),
      holdsPushes: false,
      tokenHash: hashToken(token),
    }
    await addRecipient(ctx, user.id)
    await putEscalation(ctx, caller, { slug: 'night', name: 'Night', steps: STEPS }, 'commit')
    accounts.push({ caller, token })
  }
  return accounts
}

// Each was sent a minute ago, the shortest time until a first step, so that its steps are due now and in the next seconds.
async function sendAlerts(ctx: Context, clock: TestClock, accounts: Account[]): Promise<void> {
  for (let index = 0; index < PER_ACCOUNT; index++) {
    clock.set(instant(Date.now() - FIRST_STEP_SECONDS * 1000))
    const alert = { title: `Alert ${index}`, body: 'B', acknowledge: { escalation: 'night' } }
    for (const { caller } of accounts) await sendNotification(ctx, caller, alert)
    await delay(DUE_OVER_MS / PER_ACCOUNT)
  }
}

async function addRecipient(ctx: Context, userId: UserId): Promise<void> {
  const now = ctx.clock.now()
  const recipient = {
    id: newUuid() as RecipientId,
    userId,
    address: ADDRESS,
    confirmationExpiresAt: now,
    verifiedAt: null,
    suppressedAt: null,
    signsIn: false,
    createdAt: now,
  }
  const confirmation = hashToken(recipient.id)
  await ctx.db.transact(async (tx) => {
    await insertRecipient(tx, recipient, confirmation)
    await verifyRecipient(tx, recipient, confirmation, now)
  })
}
