// A key that is limited to a part of an organization learns and changes nothing outside it: keys of every kind of limit and
// two sets of levels, on every route of openapi.json, every tool of MCP, and the doors that address a message.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { callTool, connectMcp, toolNames } from '../../support/mcp/client.ts'
import { isNightly } from '../../support/nightly.ts'
import {
  cellsOf,
  createLimitedWorld,
  INSIDE,
  type Limit,
  type LimitedWorld,
  snapshotOutside,
} from '../../support/organizations/limited-keys.ts'
import { addOrgKey } from '../../support/organizations/sends.ts'

const app = useTestApp()
let world: LimitedWorld
beforeAll(async () => {
  world = await createLimitedWorld(app)
})

const LEVELS = {
  'all levels': { activities: 'manage', notifications: 'schedule' },
  'the lowest levels': { activities: 'read', notifications: 'send' },
}
const LIMITS = ['a group', 'a tag', 'a member', 'a group and a tag']
// A tag and a member limit as a group does; a group and a tag are two limits at once.
const ALL_LEVELS = isNightly ? LIMITS : ['a group and a tag']
const KEYS = [
  ...ALL_LEVELS.map((limit) => ({ limit, levels: 'all levels' as const })),
  { limit: 'a group', levels: 'the lowest levels' as const },
]

const counts = { cells: 0, refusals: 0, leaks: 0 }
afterAll(() => {
  process.stdout.write(`limited keys: ${counts.cells} cells, ${counts.refusals} refusals, ${counts.leaks} leaks\n`)
})

// The texts that an answer must not have. What the request says itself is no leak.
const leaksIn = (answer: string, request: string) =>
  world.canaries.filter((canary) => answer.includes(canary) && !request.includes(canary))

function note(status: number, answer: string, request: string): string[] {
  const leaks = leaksIn(answer, request)
  counts.cells++
  if (status >= 400) counts.refusals++
  if (leaks.length > 0) counts.leaks++
  return leaks
}

const addKey = async (limit: string, levels: keyof typeof LEVELS = 'all levels') =>
  (await addOrgKey(app, world.org, { permissions: LEVELS[levels], target: world.limits[limit]?.target })).key

test('there are texts to look for, and things to look at', async () => {
  expect(world.canaries.length).toBeGreaterThan(30)
  const shown = Object.entries(await snapshotOutside(app, world))
  const found = shown.filter(([, text]) => text.startsWith('200'))
  expect(found.length).toBeGreaterThan(30)
  expect(
    shown.filter(([address]) => /heartbeats\/[\w-]+$|escalations/.test(address)).map(([, text]) => text.slice(0, 3)),
  ).toEqual(Array(5).fill('200'))
})

describe.each(KEYS)('a key that is limited to $limit, with $levels', ({ limit, levels }) => {
  test('is refused whatever is outside, on every route, reads no word of it, and changes nothing', async () => {
    const key = await addKey(limit, levels)
    const before = await snapshotOutside(app, world)
    const wrong: string[] = []
    for (const { method, address, body, isOutside } of cellsOf(world, world.limits[limit] as Limit)) {
      const { status, text } = await app.call(method, address, { token: key, body })
      const request = `${method} ${address} ${JSON.stringify(body)}`
      const leaks = note(status, text, request)
      if (leaks.length > 0) wrong.push(`${request}: ${status} shows ${leaks.join()}`)
      if (isOutside && ![403, 404, 422].includes(status)) wrong.push(`${request}: ${status} is no refusal`)
    }
    expect(wrong).toEqual([])
    expect(await snapshotOutside(app, world)).toEqual(before)
  })
})

test.each(LIMITS)('a key that is limited to %s reads and changes what is inside', async (limit) => {
  const key = await addKey(limit)
  for (const noun of ['heartbeats', 'escalations', 'activities']) {
    const { items } = (await app.get(`/${noun}`, key)).body
    expect(items.map(({ slug }: { slug: string }) => slug)).toContain(INSIDE)
    expect(
      (await app.patch(`/${noun}/${INSIDE}`, noun === 'activities' ? { priority: 1 } : { name: 'N' }, key)).status,
    ).toBe(200)
  }
})

test('messages that came in through doors are those of their key', async () => {
  const key = await addKey('a group')
  const seen = async (path: string) => (await app.get(world.org.path + path, world.org.owner.token)).text
  const received = async () => [await seen('/notifications?q=canary'), await seen('/notifications/receipts')]
  const before = await received()
  const { ntfyPath, pushoverReceipt } = world
  const requests = [
    ['DELETE', ntfyPath],
    ['PUT', `${ntfyPath}/clear`],
    ['GET', `/pushover/1/receipts/${pushoverReceipt}.json?token=${key}`],
    ['POST', `/pushover/1/receipts/${pushoverReceipt}/cancel.json?token=${key}`],
    ['POST', `/pushover/1/receipts/cancel_by_tag/canary-tag.json?token=${key}`],
    ['GET', `/pushover/1/apps/limits.json?token=${key}`],
    ['GET', '/ntfy/v1/account'],
  ] as const
  for (const [method, address] of requests) {
    const answer = await app.call(method, address, { token: key })
    expect(note(answer.status, answer.text, address), address).toEqual([])
  }
  expect(await received()).toEqual(before)
})

// With what is outside as every argument that names something. A tool that is not here fails the test.
const argumentsOf = (notification_id: number, scheduleId: number): Record<string, object> => {
  const slug = 'canary-act'
  const content = { template: 'generic', state: 'S' }
  const message = { title: 'T', body: 'B', target: { groups: ['canary-sre'] } }
  return {
    ask_human: { question: 'Q', target: message.target },
    get_answer: { notification_id },
    send_notification: message,
    send_alert: { ...message, target: undefined, acknowledge: { escalation: 'canary-policy' } },
    get_receipt: { notification_id },
    cancel_alert: { notification_id },
    start_activity: { slug, content },
    update_activity: { slug, content },
    end_activity: { slug },
    request_approval: { slug, question: 'Q' },
    schedule_notification: { ...message, send_at: '2027-06-01T08:00:00Z' },
    cancel_schedule: { id: scheduleId },
    get_notification: { id: notification_id },
  }
}
const LISTING = ['list_schedules', 'list_inbox']

test('tools of MCP refuse and hide the same', async () => {
  const key = await addKey('a group')
  const client = await connectMcp(app.url, key)
  const before = await snapshotOutside(app, world)
  const { '/notifications': sent, '/notifications/scheduled': planned } = world.params
  const outside = argumentsOf(Number(sent?.id?.[0]), Number(planned?.id?.[0]))
  const names = await toolNames(client)
  expect(names.toSorted()).toEqual([...Object.keys(outside), ...LISTING].sort())
  for (const name of names) {
    const { text, isError } = await callTool(client, name, { ...outside[name] })
    expect(note(isError ? 403 : 200, text, JSON.stringify(outside[name])), `${name}: ${text}`).toEqual([])
    expect(isError, `${name}: ${text}`).toBe(name in outside)
  }
  expect(await snapshotOutside(app, world)).toEqual(before)
})
