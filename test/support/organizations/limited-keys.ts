// An organization with things outside the limit of every key below, and requests about them, made from openapi.json: every
// route, with the ids of these things in its path, and their slugs, names and tags in its body. A route with a path parameter
// that is not in `params` fails the test, until somebody says what is outside there.
import { bodySchema, operations, resolve } from '../api-description.ts'
import type { TestApp, TestUser } from '../app.ts'
import { addGroup, createOrganization, type TestOrganization } from './organization.ts'
import { addOrgKey, addScreen, addTag } from './sends.ts'

export type LimitedWorld = {
  org: TestOrganization
  limits: Record<string, Limit>
  // The values of path parameters: by the beginning of a path, then by their name.
  params: Record<string, Record<string, string[]>>
  // Texts that no limited key may read: what the owner sees of the things outside, secrets and ids included.
  canaries: string[]
  // Path and receipt of messages that came in through the doors of ntfy and Pushover.
  ntfyPath: string
  pushoverReceipt: string
}

// In everything outside there is this word.
const CANARY = 'canary'
const SRE = { groups: [`${CANARY}-sre`] }
// The slug of a heartbeat, a policy and an activity inside every limit.
export const INSIDE = 'inside'
// A policy without a target.
export const COMMON = 'louder'
const CALLBACK = `https://callback.example.org/${CANARY}?token=secret`

export async function createLimitedWorld(app: TestApp): Promise<LimitedWorld> {
  const org = await createOrganization(app, 2)
  const [inside, outside] = org.members as [TestUser, TestUser]
  await app.patch('/auth/me', { nickname: `${CANARY} member` }, outside.token)
  const [ops, sre] = [await addGroup(app, org, 'ops', [inside]), await addGroup(app, org, `${CANARY}-sre`, [outside])]
  const [wall, floor] = [await addTag(app, org, 'wall'), await addTag(app, org, `${CANARY}-floor`)]
  await addScreen(app, inside, ['wall'])
  const create = async (resource: string, body: object, by = { path: org.path, token: org.owner.token }) => {
    const { status, text, body: created } = await app.post(by.path + resource, body, by.token)
    if (status !== 201) throw new Error(`cannot create ${resource}: ${text}`)
    return created
  }
  const target = { groups: ['ops'], tags: ['wall'], members: [inside.userId] }
  await create('/heartbeats', { slug: INSIDE, name: 'H', every_seconds: 3600, target })
  await create('/escalations', { slug: INSIDE, name: 'E', steps: [{ after_seconds: 60, target }] })
  await create('/activities', { slug: INSIDE, name: 'A', target })
  const key = await addOrgKey(app, org, { name: `${CANARY} key` })
  const slugs = await createNamed(create)
  const ids = await createMessages((resource, body) => create(resource, body, { path: '', token: key.key }))
  const alias = await create(`/keys/${key.id}/aliases`, { door: 'ntfy' })
  const hook = await create('/hooks', { name: `${CANARY} hook`, kind: 'auto', key_id: key.id })
  await fetch(app.url + new URL(hook.url).pathname, { method: 'POST', body: `${CANARY} request` })
  const invitation = await create('/invitations', { max_uses: 5 })
  const file = await create('/files', { text: CANARY }, { path: '', token: key.key })
  const doors = await sendThroughDoors(app, key.key)
  const params = {
    ...slugs,
    ...ids,
    '': {
      org_id: [org.id],
      user_id: [outside.userId],
      group_id: [sre],
      tag_id: [floor],
      key_id: [key.id],
      alias_id: [alias.id],
      hook_id: [hook.id],
      number: ['1'],
      file_id: [String(file.id)],
      invitation_id: [invitation.id],
    },
  }
  const world = {
    org,
    inside,
    params,
    ...doors,
    limits: limitsOf(ops, wall, inside, outside),
    canaries: [] as string[],
  }
  const shown = Object.values(await snapshotOutside(app, world)).join()
  const known = [ops, wall, org.id, org.owner.userId, org.admin.userId, inside.userId]
  world.canaries = [...canariesIn(shown, known), key.key, hook.url, alias.token]
  return world
}

// The limit of a key, and a target outside it: a list that the limit does not have only narrows.
export type Limit = { target: object; outside: object }

const FLOOR = { tags: [`${CANARY}-floor`] }

const limitsOf = (ops: string, wall: string, inside: TestUser, outside: TestUser): Record<string, Limit> => ({
  'a group': { target: { group_ids: [ops] }, outside: SRE },
  'a tag': { target: { tag_ids: [wall] }, outside: FLOOR },
  'a member': { target: { member_ids: [inside.userId] }, outside: { members: [outside.userId] } },
  'a group and a tag': { target: { group_ids: [ops], tag_ids: [wall] }, outside: { groups: ['ops'], ...FLOOR } },
})

type Create = (resource: string, body: object) => Promise<{ id: string }>

// What has a slug. `mixed` is for the group of the limit, but its alert escalates to the other one.
async function createNamed(create: Create): Promise<LimitedWorld['params']> {
  const named = (slug: string) => ({ slug: `${CANARY}-${slug}`, name: `${CANARY} ${slug} name` })
  const step = { after_seconds: 60, level: 'critical', callback_url: CALLBACK }
  await create('/escalations', { ...named('policy'), steps: [{ ...step, target: SRE }] })
  // Every key may name it and reads it, without the address of the callback.
  await create('/escalations', { slug: COMMON, name: 'Louder', steps: [step] })
  const heartbeat = { every_seconds: 3600, url: CALLBACK }
  await create('/heartbeats', { ...named('hb'), ...heartbeat, target: SRE })
  await create('/heartbeats', { ...named('everyone'), ...heartbeat })
  const acknowledge = { escalation: `${CANARY}-policy` }
  await create('/heartbeats', {
    ...named('mixed'),
    ...heartbeat,
    target: { groups: ['ops'], tags: ['wall'] },
    acknowledge,
  })
  const first = await create('/activities', { ...named('act'), target: SRE })
  const second = await create('/activities', named('all'))
  return {
    '/escalations': { slug: [`${CANARY}-policy`, COMMON] },
    '/heartbeats': { slug: [`${CANARY}-hb`, `${CANARY}-everyone`, `${CANARY}-mixed`] },
    '/activit': { slug: [`${CANARY}-act`, `${CANARY}-all`, first.id, second.id] },
  }
}

async function createMessages(create: Create): Promise<LimitedWorld['params']> {
  const message = { title: `${CANARY} title`, body: `${CANARY} body` }
  const actions = [{ id: 'yes', title: `${CANARY} yes` }]
  const named = { tags: [`${CANARY}-tag`], collapse_id: `${CANARY}-collapse`, callback_url: CALLBACK }
  const alert = { ...message, actions, ...named, acknowledge: {} }
  const sent = [await create('/notifications', { ...alert, target: SRE }), await create('/notifications', message)]
  const later = { ...message, send_at: '2027-06-01T08:00:00Z' }
  const planned = [
    await create('/notifications/scheduled', { ...later, target: SRE }),
    await create('/notifications/scheduled', later),
  ]
  const idsOf = (made: { id: string }[]) => made.map(({ id }) => String(id))
  return { '/notifications/scheduled': { id: idsOf(planned) }, '/notifications': { id: idsOf(sent) } }
}

async function sendThroughDoors(
  app: TestApp,
  key: string,
): Promise<Pick<LimitedWorld, 'ntfyPath' | 'pushoverReceipt'>> {
  const headers = { authorization: `Bearer ${key}` }
  const ntfyPath = `/ntfy/${CANARY}-topic/${CANARY}-sequence`
  await fetch(app.url + ntfyPath, { method: 'PUT', headers, body: `${CANARY} ntfy` })
  const emergency = {
    token: key,
    user: 'u',
    message: `${CANARY} emergency`,
    priority: '2',
    retry: '60',
    expire: '3600',
  }
  const body = new URLSearchParams({ ...emergency, tags: `${CANARY}-tag` })
  const sent = await fetch(`${app.url}/pushover/1/messages.json`, { method: 'POST', body })
  return { ntfyPath, pushoverReceipt: ((await sent.json()) as { receipt: string }).receipt }
}

// Secrets and ids in what the owner sees, besides everything that has the word. Ids of what is inside are no secret.
function canariesIn(shown: string, known: string[]): string[] {
  const words = shown.match(/"[^"]*canary[^"]*"/g)?.map((text) => text.slice(1, -1)) ?? []
  const ids = shown.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []
  return [...new Set([...words, ...ids.filter((id) => !known.includes(id))])]
}

// Lists in which a limited key leaves nothing; the other things are read one by one.
const LISTS = ['keys', 'hooks', 'groups', 'tags', 'members', 'invitations']
// A key that is used is marked as used.
const NOT_COMPARED = /,?"(?:last_used_at|instance)":"[^"]*"/g

// What the owner sees of the things outside.
export async function snapshotOutside(
  app: TestApp,
  { org, params }: Pick<LimitedWorld, 'org' | 'params'>,
): Promise<Record<string, string>> {
  const shown: Record<string, string> = {}
  const read = operations.filter(
    ({ method, path }) => method === 'GET' && /^\/orgs\/\{org_id\}\/./.test(path) && !path.endsWith('/events'),
  )
  for (const { path } of read) {
    const isList = !path.slice('/orgs/{org_id}'.length).includes('{')
    if (isList && !LISTS.some((list) => path.endsWith(`/${list}`))) continue
    for (const { address } of addressesOf(path, params)) {
      const { text, status } = await app.get(address, org.owner.token)
      // The table has only kinds that exist, so what cannot be read is gone. Not every notification waits for an answer.
      shown[address] = `${status} ${text.replace(NOT_COMPARED, '')}`
    }
  }
  return shown
}

// Parameters of what only persons have.
const OF_PERSONS = [
  'request_id',
  'session_id',
  'passkey_id',
  'device_id',
  'endpoint_id',
  'link_id',
  'code_id',
  'share_id',
  'mute_id',
  'recipient_id',
  'screen_id',
]

// `isOutside`: the path names something outside the limit.
function addressesOf(path: string, params: LimitedWorld['params']): { address: string; isOutside: boolean }[] {
  const own = path.replace('/orgs/{org_id}', '')
  let addresses = [{ address: path, isOutside: false }]
  for (const [placeholder, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const kind = Object.keys(params).find((start) => own.startsWith(start) && params[start]?.[name])
    const values = kind === undefined ? ofPersons(path, name) : (params[kind]?.[name] as string[])
    addresses = addresses.flatMap(({ address }) =>
      values.map((value) => ({ address: address.replace(placeholder, value), isOutside: true })),
    )
  }
  return addresses
}

function ofPersons(path: string, name: string): string[] {
  if (OF_PERSONS.includes(name) || /^\/widgets|^\/devices/.test(path)) return ['00000000-0000-4000-8000-000000000000']
  throw new Error(`say in test/support/organizations/limited-keys.ts what {${name}} in ${path} is outside a limit`)
}

export type Cell = { method: string; address: string; body?: object; isOutside: boolean }

// Each request is about something outside, unless `isOutside` is false. Only people call the routes of an organization, and
// every key is refused there in the same way, so one request of each is enough.
export function cellsOf({ params }: LimitedWorld, limit: Limit): Cell[] {
  return operations
    .filter(({ security }) => security === undefined)
    .flatMap((operation) => {
      const cells = cellsOfOperation(operation, params, limit)
      return operation.path.startsWith('/orgs') ? cells.slice(0, 1) : cells
    })
}

function cellsOfOperation(
  operation: (typeof operations)[number],
  params: LimitedWorld['params'],
  limit: Limit,
): Cell[] {
  const { method, path, parameters = [] } = operation
  const flags = parameters.filter((one) => one.in === 'query' && one.schema.type === 'boolean')
  const searches = parameters.some(({ name }) => name === 'q') ? [`q=${CANARY}`] : []
  const queries = ['', ...[...flags.map(({ name }) => `${name}=true`), ...searches].map((query) => `?${query}`)]
  return addressesOf(path, params).flatMap((one) =>
    bodiesOf(operation, params, limit).flatMap(({ body, isOutside }) =>
      queries.map((query) => ({
        method,
        address: one.address + query,
        body,
        isOutside: (one.isOutside && !isReadable(method, one.address)) || isOutside,
      })),
    ),
  )
}

// A policy without a target may be read.
const isReadable = (method: string, address: string) => method === 'GET' && address === `/escalations/${COMMON}`

type Body = { body?: object; isOutside: boolean }

// The example of the schema, and the same with each member that can name something outside.
function bodiesOf(operation: (typeof operations)[number], params: LimitedWorld['params'], limit: Limit): Body[] {
  const { path } = operation
  const schema = bodySchema(operation)
  if (!schema) return [{ isOutside: false }]
  const { properties = {}, examples = [] } = resolve(schema)
  const [example] = examples as [object | undefined]
  if (!example) throw new Error(`the body of ${path} has no example`)
  const own = path.replace('/orgs/{org_id}', '')
  const kind = Object.keys(params).find((start) => start !== '' && own.startsWith(start))
  const slugs = kind === undefined ? [] : (params[kind]?.slug ?? [])
  const outside: Record<string, unknown[]> = {
    slug: slugs,
    target: [limit.outside],
    acknowledge: [{ escalation: `${CANARY}-policy` }],
    activity_slug: [`${CANARY}-act`],
    steps: [[{ after_seconds: 60, target: limit.outside }]],
  }
  // Names of messages, which belong to the key that sent them: the request is allowed, and changes those of others in nothing.
  const unowned: Record<string, unknown[]> = {
    tag: [`${CANARY}-tag`],
    ids: [params['/notifications']?.id?.map(Number)],
    collapse_id: [`${CANARY}-collapse`],
  }
  const withEach = (members: Record<string, unknown[]>, isOutside: boolean): Body[] =>
    Object.entries(members).flatMap(([name, values]) =>
      name in properties ? values.map((value) => ({ body: { ...example, [name]: value }, isOutside })) : [],
    )
  return [{ body: example, isOutside: false }, ...withEach(outside, true), ...withEach(unowned, false)]
}
