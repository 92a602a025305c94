// One route as an OpenAPI operation: its parameters, request body, responses and callbacks.
import { EVENT_MESSAGES, EventReset } from '../../contract/events/event.ts'
import { LIMITS } from '../../contract/limits.ts'
import { type Access, RESOURCES } from '../../contract/permissions.ts'
import { type Route, responsesOf } from '../route.ts'
import { problemsOf } from './problems.ts'
import { problemResponses, statusDescription } from './responses.ts'
import type { SchemaRegistry } from './schemas.ts'

export type Parameter = { name: string; in: string }
export type Described = { parameters?: (Parameter | { $ref: string })[]; [member: string]: unknown }

export function describeOperation(route: Route, schemas: SchemaRegistry): Described {
  const { id, tag, summary, description, deprecated, access, callbacks } = route
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, tokenInWords(access)].filter(Boolean).join('\n\n'),
    ...(deprecated && { deprecated }),
    ...(access === 'public' && { security: [] }),
    ...parameters(route, schemas),
    ...requestBody(route, schemas),
    responses: {
      ...successResponses(route, schemas),
      ...problemResponses(problemsOf(route)),
    },
    ...(callbacks && { callbacks: callbackReferences(callbacks) }),
  }
}

function tokenInWords(access: Access): string {
  if (typeof access === 'object') return `Needs \`${access.resource}:${access.level}\` or a full-access token.`
  switch (access) {
    case 'public':
      return 'Needs no token.'
    case 'any':
      return `Accepts every full-access token and integration key, regardless of its levels (${RESOURCES.join(', ')}).`
    case 'user':
      return 'Needs a full-access token (`hla_…`).'
    case 'key-manager':
      return 'Needs a full-access token (`hla_…`) or the account’s default key.'
  }
}

type ObjectSchema = { properties?: Record<string, { description?: string }>; required?: string[] }

// For parameters whose schema describes only the form of the value, which violations repeat.
const MEANINGS: Record<string, string> = {
  slug: 'The slug of the resource.',
  device_id: 'The id that the device chose for itself.',
  file: 'The name of the icon: a system symbol such as `bolt.fill` or an icon-set name such as `mdi:home`, with `.svg`.',
  source: 'Only notifications with this source.',
  thread_id: 'Only notifications of this thread.',
  level: 'Only notifications of this level.',
  since: 'Only notifications created at this time or later.',
  until: 'Only notifications created before this time.',
  q: 'Only notifications whose title, subtitle or body contains this text.',
}

function parameters(route: Route, schemas: SchemaRegistry): Described {
  const list = [
    ...parametersIn('path', route.params, schemas),
    ...parametersIn('query', route.query, schemas),
    ...parametersIn('header', route.headers, schemas),
  ]
  return list.length > 0 ? { parameters: list } : {}
}

function parametersIn(place: 'path' | 'query' | 'header', schema: unknown, schemas: SchemaRegistry): Parameter[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...form } = schemas.refer(property)
    const words = place === 'header' ? description : (MEANINGS[name] ?? description)
    return { name, in: place, required: required.includes(name), description: words, schema: form }
  })
}

const BYTES = { type: 'string', format: 'binary' }

function requestBody(route: Route, schemas: SchemaRegistry): object {
  const { method, body, isBodyOptional, readsOwnBody } = route
  if (readsOwnBody)
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema: BYTES } } } }
  if (!body) return {}
  const content = { schema: schemas.refer(body) }
  const mergePatch = method === 'PATCH' && { 'application/merge-patch+json': content }
  return {
    requestBody: {
      required: !isBodyOptional,
      content: { 'application/json': content, ...mergePatch, ...formOf(route, schemas) },
    },
  }
}

function formOf({ filesAfter, body }: Route, schemas: SchemaRegistry): object {
  if (filesAfter === undefined) return {}
  const file = { type: 'array', items: BYTES, maxItems: LIMITS.file.maxPerNotification }
  const properties = { [filesAfter]: body, file }
  const form = { title: `${capitalized(filesAfter)}Form`, type: 'object', properties, required: [filesAfter] }
  return { 'multipart/form-data': { schema: schemas.refer(form) } }
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

function successResponses(route: Route, schemas: SchemaRegistry): Record<string, object> {
  const { eventStream, resourceActionOn = [], isIdempotent } = route
  if (eventStream) return { 200: eventStreamResponse(schemas) }
  return Object.fromEntries(
    Object.entries(responsesOf(route)).map(([status, body]) => {
      const headers = {
        ...(resourceActionOn.includes(Number(status)) && { 'X-Resource-Action': headerReference('ResourceAction') }),
        ...(isIdempotent && status === '201' && { 'Idempotent-Replayed': headerReference('IdempotentReplayed') }),
      }
      return [
        status,
        {
          description: statusDescription(status),
          ...(Object.keys(headers).length > 0 && { headers }),
          ...content(body, schemas),
        },
      ]
    }),
  )
}

const headerReference = (name: string) => ({ $ref: `#/components/headers/${name}` })

// A route gives the schema of its JSON, an object with the content of other types, or {} for no body.
function content(body: object, schemas: SchemaRegistry): object {
  if ('content' in body) return { content: body.content }
  return Object.keys(body).length > 0 ? { content: { 'application/json': { schema: schemas.refer(body) } } } : {}
}

// OpenAPI 3.1 has no keyword for the messages of a stream; generators take the schema of text/event-stream as theirs.
function eventStreamResponse(schemas: SchemaRegistry): object {
  const references = Object.entries(EVENT_MESSAGES).map(
    ([type, message]) => [type, String(schemas.refer(message).$ref)] as const,
  )
  const event = schemas.refer({
    title: 'Event',
    description: 'The data of a message of GET /events.',
    oneOf: references.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(references) },
  })
  const schema = { anyOf: [event, schemas.refer(EventReset)] }
  return { description: 'The stream.', content: { 'text/event-stream': { schema } } }
}

const callbackReferences = (names: Record<string, string>): object =>
  Object.fromEntries(Object.entries(names).map(([name, to]) => [name, { $ref: `#/components/callbacks/${to}` }]))
