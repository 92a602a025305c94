// Names of members that every JavaScript object inherits, sent in place of every value, as a member of every object and as every
// parameter: a look-up by a client's word in an ordinary object would find one of them. None causes a 5xx, and no answer
// has a value outside of its schema.
import { expect, test } from 'vitest'
import {
  bodySchema,
  type Operation,
  operations,
  resolve,
  type Schema,
  violationsOf,
} from '../../support/api-description.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { createCast } from '../../support/cast.ts'
import { mailSettings } from '../../support/fakes/mail.ts'
import { createAgent, sendGenerated } from '../../support/generated/send-generated.ts'
import { isNightly } from '../../support/nightly.ts'

const WORDS = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty']
const AT_ONCE = 16

// Optional features are on, so that a 503 would be a failure.
const app = useTestApp({ ...mailSettings(1), HELIOGRAPH_APPLE_AUDIENCE: 'org.example' })

type Place = (string | number)[]
type Case = { operation: Described; path: string; body: string | undefined }
type Described = (typeof operations)[number]

// At every place the word of the one inherited member that is an object, and in turn one of those that are functions.
// `npm test` has one word at each place, every other time that of the object.
let turn = 0
const wordsForPlace = (): string[] => {
  const [object = '', ...functions] = WORDS
  const ofFunction = functions[Math.floor(turn / 2) % functions.length] as string
  const isOfObject = turn++ % 2 === 0
  if (isNightly) return [object, ofFunction]
  return [isOfObject ? object : ofFunction]
}

// Every member and entry that a schema describes, and a new member in each of its objects.
function placesIn(schema: Schema, at: Place = []): Place[] {
  const {
    properties = {},
    items,
    anyOf = [],
    type,
    additionalProperties,
  } = resolve(schema) as Schema & {
    anyOf?: Schema[]
    items?: Schema
    additionalProperties?: Schema | boolean
  }
  const inside = Object.entries(properties).flatMap(([name, member]) => [
    [...at, name],
    ...placesIn(member, [...at, name]),
  ])
  const member = typeof additionalProperties === 'object' ? placesIn(additionalProperties, [...at, 'any']) : []
  const entries = items ? [[...at, 0], ...placesIn(items, [...at, 0])] : []
  const isObject = [type].flat().includes('object')
  return [
    ...inside,
    ...member,
    ...entries,
    ...anyOf.flatMap((one) => placesIn(one, at)),
    ...(isObject ? [[...at, NEW_MEMBER]] : []),
  ]
}

const NEW_MEMBER = 'new member'

// A copy of the document with the word at the place. As text, because an assignment to __proto__ sets the prototype.
function withWord(document: unknown, place: Place, word: string): string {
  const [step, ...rest] = place
  if (step === undefined) return JSON.stringify(word)
  if (step === NEW_MEMBER) return membersText({ ...(document as object) }, word, '1')
  if (typeof step === 'number') return `[${withWord((document as unknown[] | undefined)?.[step], rest, word)}]`
  const members = typeof document === 'object' && document !== null ? (document as Record<string, unknown>) : {}
  return membersText(members, step, withWord(members[step], rest, word))
}

function membersText(members: object, name: string, value: string): string {
  const others = Object.entries(members).filter(([other]) => other !== name)
  const texts = others.map(([other, member]) => `${JSON.stringify(other)}:${JSON.stringify(member)}`)
  return `{${[...texts, `${JSON.stringify(name)}:${value}`].join(',')}}`
}

function casesOf(operation: Described, params: Record<string, string>): Case[] {
  const fill = (values: Record<string, string>) =>
    operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? 'none'))
  const own = fill(params)
  const schema = bodySchema(operation)
  const example = schema && resolve(schema).examples?.[0]
  const inBody = schema
    ? placesIn(schema).flatMap((place) =>
        wordsForPlace().map((word) => ({ operation, path: own, body: withWord(example ?? {}, place, word) })),
      )
    : []
  const ofExample = example === undefined ? undefined : JSON.stringify(example)
  const inPath = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'path')
    .flatMap(({ name }) =>
      WORDS.map((word) => ({ operation, path: fill({ ...params, [name]: word }), body: ofExample })),
    )
  const inQuery = [...(operation.parameters ?? []).filter((parameter) => parameter.in === 'query'), undefined].flatMap(
    (parameter) =>
      wordsForPlace().map((word) => ({
        operation,
        path: `${own}?${parameter ? `${parameter.name}=${word}` : `${word}=1`}`,
        body: ofExample,
      })),
  )
  // A query could delete or end something; a word in the path finds nothing.
  const isReading = operation.method === 'GET'
  return [...inBody, ...inPath, ...(isReading ? inQuery : [])]
}

function faultOf({ operation }: Case, { status, type, body }: { status: number; type: string; body: string }) {
  if (status >= 500) return `${status} ${body}`
  const { content } = (operation as Operation).responses[status] ?? {}
  const schema = content?.['application/json']?.schema
  if (status >= 300 || !schema || !type.startsWith('application/json')) return undefined
  return violationsOf(schema, JSON.parse(body)) || undefined
}

async function inParallel<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}

test('the API', async () => {
  const { user, params } = await createCast(app)
  const { id: org_id } = (await app.post('/orgs', { name: 'Example' }, user.token)).body
  const group_id = (await app.post(`/orgs/${org_id}/groups`, { name: 'ops' }, user.token)).body.id
  await app.runDueJobs()
  // Without requests that would revoke the token of the test, and those under the prefix of an organization, which are the same
  // as without it.
  const cases = operations
    .filter(({ path, operationId }) => !path.startsWith('/auth/token') && !operationId.endsWith('AsOrganization'))
    .flatMap((operation) => casesOf(operation, { ...params, org_id, group_id, user_id: user.userId }))
  const agent = createAgent()
  const faults: object[] = []
  await inParallel(cases, async (one) => {
    const { operation, path, body } = one
    const type = operation.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': type }
    const request = {
      method: operation.method,
      path,
      caller: '',
      headers,
      body: body === undefined ? undefined : Buffer.from(body),
    }
    const answer = await sendGenerated(app.url, agent, request, user.token)
    const fault = faultOf(one, answer)
    if (fault) faults.push({ fault, request: `${operation.method} ${path}`, body })
  })
  agent.destroy()
  expect(faults).toEqual([])
  await expectReadable(user)
})

// Every list of the account, with what was stored.
async function expectReadable(user: TestUser): Promise<void> {
  for (const { method, path, responses } of operations) {
    const schema = responses['200']?.content?.['application/json']?.schema
    if (method !== 'GET' || path.includes('{') || !schema) continue
    const { status, body } = await app.get(path, user.token)
    expect([path, status < 500, status === 200 ? violationsOf(schema, body) : '']).toEqual([path, true, ''])
  }
}

type Message = { path: string; headers?: Record<string, string>; body: string }

const NTFY_HEADERS =
  'Title Message Priority Tags Click Icon Actions Attach Filename Markdown Email Call Cache Delay'.split(' ')
const NTFY_ACTIONS = [{ action: 'view', label: 'L', url: 'https://a.example', headers: { a: 'b' }, extras: { a: 'b' } }]
const NTFY = {
  topic: 't',
  ...Object.fromEntries(NTFY_HEADERS.map((name) => [name.toLowerCase(), 'x'])),
  actions: NTFY_ACTIONS,
}
const GOTIFY = { message: 'M', title: 'T', priority: 5, extras: { 'client::display': { contentType: 'text/plain' } } }
const PUSHOVER = 'user title message priority sound url url_title html monospace ttl timestamp device tags'.split(' ')

// The places of a document, as those of a schema.
function placesOf(document: unknown, at: Place = []): Place[] {
  if (typeof document !== 'object' || document === null) return [at]
  if (Array.isArray(document)) return document.flatMap((entry, index) => placesOf(entry, [...at, index]))
  return [[...at, NEW_MEMBER], ...Object.entries(document).flatMap(([name, member]) => placesOf(member, [...at, name]))]
}

function doorMessages({ defaultKey }: TestUser): Message[] {
  const authorization = `Bearer ${defaultKey}`
  const json = { 'content-type': 'application/json', authorization }
  const asJson = (path: string, document: object) =>
    placesOf(document).flatMap((place) =>
      WORDS.map((word) => ({ path, headers: json, body: withWord(document, place, word) })),
    )
  const asHeader = NTFY_HEADERS.flatMap((name) =>
    WORDS.map((word) => ({ path: '/ntfy/t', headers: { authorization, [name]: word }, body: 'x' })),
  )
  const inQuery = [...NTFY_HEADERS, ...WORDS].flatMap((name) =>
    WORDS.map((word) => ({ path: `/ntfy/${word}?${name}=${word}`, headers: { authorization }, body: 'x' })),
  )
  const asField = [...PUSHOVER, ...WORDS].flatMap((name) =>
    WORDS.map((word) => ({
      path: '/pushover/1/messages.json',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ token: defaultKey, user: 'u', message: 'M', [name]: word })),
    })),
  )
  return [...asJson('/ntfy', NTFY), ...asJson('/gotify/message', GOTIFY), ...asHeader, ...inQuery, ...asField]
}

test('the doors for ntfy, Gotify and Pushover', async () => {
  const user = await app.addUser()
  const faults: object[] = []
  const statuses = new Set<string>()
  await inParallel(doorMessages(user), async ({ path, headers, body }) => {
    const answer = await fetch(app.url + path, { method: 'POST', headers, body })
    await answer.text()
    const { status } = answer
    statuses.add(`${path.split('/')[1]} ${status}`)
    if (status >= 500) faults.push({ status, path, headers, body })
  })
  expect(faults).toEqual([])
  expect([...statuses]).toEqual(expect.arrayContaining(['ntfy 200', 'gotify 200', 'pushover 200']))
  await expectReadable(user)
  // Apps get the messages in the form of their service.
  for (const [kind, path] of [
    ['ntfy', '/ntfy/t/json?poll=1'],
    ['gotify', '/gotify/message'],
  ] as const) {
    const { password } = (await app.post('/devices/apps', { kind, name: 'Pixel' }, user.token)).body
    const answer = await fetch(app.url + path, { headers: { authorization: `Basic ${btoa(`u:${password}`)}` } })
    expect([kind, answer.status]).toEqual([kind, 200])
    await answer.text()
  }
})
