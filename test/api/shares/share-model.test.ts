// For any sequence of shares, roles, plans and activities: every account lists what the rules give it, and in the end its
// phone shows what it lists as ongoing, as does the browser of one of them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlanName } from '../../../src/contract/plans.ts'
import { SHARE_ROLES, type ShareRole } from '../../../src/contract/shares.ts'
import type { TestUser } from '../../support/app.ts'
import { addLivePhone, type LivePhone } from '../../support/devices/live-phone.ts'
import { addBrowser, type Browser } from '../../support/devices/phone.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { isNightly } from '../../support/nightly.ts'
import { createCode, join } from '../../support/shares.ts'

const app = usePushApp()

const SLUGS = ['a', 'ab', 'b']
const SUBJECTS = [...SLUGS, 'a*', '*']

// Accounts are numbers. The last one, which is only a recipient at first, has a browser besides its phone.
const WITH_BROWSER = 2

type Activity = { id: string; owner: number; slug: string; text: string | undefined }
type Share = { id: string; owner: number; recipient: number; what: string; activityId?: string; role: ShareRole }
// `shares` in the order in which they were received; `text` of activities that are ongoing.
type Model = { plans: PlanName[]; activities: Activity[]; shares: Share[]; changes: number }
type World = { users: TestUser[]; phones: LivePhone[]; browser: Browser }

async function openWorld(): Promise<World> {
  const users = [await app.addUser(), await app.addUser(), await app.addUser()]
  const phones = await Promise.all(users.map((user) => addLivePhone(app, { app, user })))
  return { users, phones, browser: await addBrowser(app, { app, user: users[WITH_BROWSER]! }) }
}

function covers({ owner, what, activityId }: Share, activity: Activity): boolean {
  if (owner !== activity.owner) return false
  return activityId ? activityId === activity.id : activity.slug.startsWith(what.slice(0, -1))
}

type Role = 'owner' | ShareRole

function roleOf({ plans, shares }: Model, user: number, activity: Activity): Role | undefined {
  if (activity.owner === user) return 'owner'
  const reaching = shares.filter((share) => share.recipient === user && covers(share, activity))
  if (reaching.length === 0) return undefined
  return plans[user] === 'paid' && reaching.some(({ role }) => role === 'editor') ? 'editor' : 'viewer'
}

// The activity that a slug means for an account: its own, or the one received first.
function named(model: Model, user: number, slug: string): Activity | undefined {
  const candidates = model.activities.filter((activity) => activity.slug === slug)
  const received = model.shares.filter(({ recipient }) => recipient === user)
  const first = received.find((share) => candidates.some((activity) => covers(share, activity)))
  return (
    candidates.find(({ owner }) => owner === user) ?? (first && candidates.find((activity) => covers(first, activity)))
  )
}

function expectedList(model: Model, user: number, users: TestUser[]): object[] {
  const seen = model.activities.flatMap((activity) => {
    const role = roleOf(model, user, activity)
    return role ? [{ ...activity, role }] : []
  })
  const rank = ({ slug, role, id }: Activity & { role: Role }) => `${slug} ${role === 'owner' ? 0 : 1} ${id}`
  return seen
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .map(({ id, role, owner, text, ...activity }) => {
      const recipients = users.filter(
        (_, other) => other !== user && roleOf(model, other, { id, owner, text, ...activity }),
      )
      const standing =
        role === 'owner'
          ? { kind: 'owned', ...(recipients.length > 0 && { share_count: recipients.length }) }
          : { kind: 'shared', share_role: role, owner_id: users[owner]?.userId }
      return { id, slug: activity.slug, state: text === undefined ? 'ended' : 'ongoing', ...standing }
    })
}

async function expectLists(model: Model, { users }: World): Promise<void> {
  for (const [number, { token }] of users.entries()) {
    const { items } = (await app.get('/activities', token)).body
    const listed = items.map(({ id, slug, state, kind, share_count, share_role, owner_id }: Record<string, unknown>) =>
      JSON.parse(JSON.stringify({ id, slug, state, kind, share_count, share_role, owner_id })),
    )
    expect(listed).toEqual(expectedList(model, number, users))
  }
}

type Step = { toString(): string; check(): boolean; run(model: Model, world: World): Promise<void> }

const step = (name: string, args: unknown[], run: Step['run']): Step => ({
  toString: () => `${name}(${args.join(', ')})`,
  check: () => true,
  run: async (model, world) => {
    app.advanceSeconds(1)
    await run(model, world)
    await expectLists(model, world)
  },
})

const account = fc.nat(2)
const slugs = fc.constantFrom(...SLUGS)
const roles = fc.constantFrom(...SHARE_ROLES)

const create = (owner: number, slug: string) =>
  step('create', [owner, slug], async ({ activities }, { users }) => {
    const { status, body } = await app.post('/activities', { slug, name: slug }, users[owner]!.token)
    expect(status).toBe(201)
    const isNew = !activities.some((activity) => activity.id === body.id)
    if (isNew) activities.push({ id: body.id, owner, slug, text: undefined })
  })

const remove = (user: number, slug: string) =>
  step('delete', [user, slug], async (model, { users }) => {
    const activity = named(model, user, slug)
    const { status } = await app.del(`/activities/${slug}`, users[user]!.token)
    if (activity?.owner !== user) return expect(status).toBe(activity ? 403 : 404)
    expect(status).toBe(204)
    model.activities = model.activities.filter(({ id }) => id !== activity.id)
    model.shares = model.shares.filter(({ activityId }) => activityId !== activity.id)
  })

const patch = (user: number, slug: string, isOngoing: boolean) =>
  step(isOngoing ? 'show' : 'end', [user, slug], async (model, { users }) => {
    const activity = named(model, user, slug)
    const text = String(++model.changes)
    const body = { state: isOngoing ? 'ongoing' : 'ended', content: { state: text } }
    const { status } = await app.patch(`/activities/${slug}`, body, users[user]!.token)
    const role = activity && roleOf(model, user, activity)
    expect(status).toBe(role === undefined ? 404 : role === 'viewer' ? 403 : 200)
    if (activity && status === 200) activity.text = isOngoing ? text : undefined
  })

function joinStatus({ plans }: Model, recipient: number, { what, role }: Pick<Share, 'what' | 'role'>, held?: Share) {
  if (held && (held.role === 'editor' || role === 'viewer')) return 200
  if (plans[recipient] === 'free' && (role === 'editor' || what.endsWith('*'))) return 403
  return held ? 200 : 201
}

const share = (owner: number, recipient: number, what: string, role: ShareRole) =>
  step('share', [owner, recipient, what, role], async (model, { users }) => {
    const activity = model.activities.find((one) => one.owner === owner && one.slug === what)
    const code = await createCode(app, users[owner]!, what, { role })
    if (!what.endsWith('*') && !activity) return expect(code.status).toBe(404)
    if (model.plans[owner] === 'free') return expect(code.status).toBe(403)
    const joined = await join(app, users[recipient]!, code.body)
    if (recipient === owner) return expect(joined.status).toBe(409)
    const held = model.shares.find((one) => one.owner === owner && one.recipient === recipient && one.what === what)
    expect(joined.status).toBe(joinStatus(model, recipient, { what, role }, held))
    if (joined.status === 200 && held && role === 'editor') held.role = 'editor'
    const received = { id: joined.body.id, owner, recipient, what, role, activityId: activity?.id }
    if (joined.status === 201) model.shares.push(received)
  })

const onShare = (name: string, run: (share: Share, model: Model, world: World) => Promise<unknown>) =>
  fc.nat(9).map((which) =>
    step(name, [which], async (model, world) => {
      const share = model.shares[which % Math.max(model.shares.length, 1)]
      if (share) await run(share, model, world)
    }),
  )

const changingRole = roles.chain((role) =>
  onShare(`role ${role}`, async (share, { plans }, { users }) => {
    const { status } = await app.patch(`/shares/${share.id}`, { role }, users[share.owner]!.token)
    const isRefused = role === 'editor' && share.role === 'viewer' && plans[share.recipient] === 'free'
    expect(status).toBe(isRefused ? 403 : 200)
    if (!isRefused) share.role = role
  }),
)
const ending = fc.constantFrom('owner' as const, 'recipient' as const).chain((who) =>
  onShare(`end by ${who}`, async (share, model, { users }) => {
    expect((await app.del(`/shares/${share.id}`, users[share[who]]!.token)).status).toBe(204)
    model.shares = model.shares.filter(({ id }) => id !== share.id)
  }),
)

const changingPlan = fc.tuple(account, fc.constantFrom('free' as const, 'paid' as const)).map(([user, plan]) =>
  step('plan', [user, plan], async ({ plans }, { users }) => {
    await app.setPlan(users[user]!, plan)
    plans[user] = plan
  }),
)

const pushing = fc.constant(step('push', [], async () => void (await app.runDueJobs())))
const receiving = account.map((user) =>
  step('receive', [user], async (_, { phones }) => void (await phones[user]!.catchUp())),
)

// Until no push waits and every phone has handled its own.
async function settle({ phones }: World): Promise<void> {
  for (let handled = 1; handled > 0; ) {
    handled = await app.runDueJobs()
    for (const phone of phones) handled += await phone.catchUp()
  }
}

// The state text of each activity that a browser shows, by the id of the activity.
async function screenOf(browser: Browser): Promise<Record<string, string>> {
  const shown: Record<string, string> = {}
  for (const { event, id, content } of await browser.pushes()) {
    if (event === 'end') delete shown[String(id)]
    else shown[String(id)] = (content as { state: string }).state
  }
  return shown
}

const ANY_STEP = [
  fc.tuple(account, slugs).map((args) => create(...args)),
  fc.tuple(account, slugs).map((args) => remove(...args)),
  ...Array(2).fill(fc.tuple(account, slugs, fc.boolean()).map((args) => patch(...args))),
  ...Array(2).fill(fc.tuple(account, account, fc.constantFrom(...SUBJECTS), roles).map((args) => share(...args))),
  ending,
  ending,
  changingRole,
  changingPlan,
  pushing,
  receiving,
] as fc.Arbitrary<fc.AsyncCommand<Model, World>>[]

// Two activities of the first account are on all devices.
async function prepare(): Promise<{ model: Model; world: World }> {
  const world = await openWorld()
  const model: Model = { plans: ['paid', 'paid', 'paid'], activities: [], shares: [], changes: 0 }
  const shown = ['a', 'ab'].flatMap((slug) => [create(0, slug), patch(0, slug, true)])
  for (const { run } of [...shown, share(0, 1, 'a', 'editor'), share(0, 2, '*', 'viewer')]) await run(model, world)
  await settle(world)
  return { model, world }
}

test('accounts list what is shared with them, and their devices show it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(ANY_STEP, { maxCommands: 20, size: 'max' }), async (steps) => {
      const { model, world } = await prepare()
      await fc.asyncModelRun(() => ({ model, real: world }), steps)
      await settle(world)
      for (const [number, phone] of world.phones.entries()) {
        const ongoing = model.activities.filter(({ text }) => text !== undefined)
        const visible = ongoing.filter((activity) => roleOf(model, number, activity))
        const expected = Object.fromEntries(visible.map(({ id, text }) => [id, text]))
        expect(phone.screen()).toEqual(expected)
        if (number === WITH_BROWSER) expect(await screenOf(world.browser)).toEqual(expected)
      }
    }),
    { numRuns: isNightly ? 20 : 10 },
  )
})
