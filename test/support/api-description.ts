// openapi.json as tests read it: its operations, and validation against its schemas.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isRfc3339 } from '../../src/contract/validation.ts'

export type Schema = {
  $ref?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  [keyword: string]: unknown
}
type Content = Record<string, { schema: Schema }>
export type Parameter = { name: string; in: string; description?: string; schema: Schema }
export type Response = { $ref?: string; description: string; content?: Content }
export type Operation = {
  operationId: string
  tags: string[]
  // Empty for a route that needs no token.
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
}
export type ApiDescription = {
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    callbacks: Record<string, Record<string, { post: Operation }>>
  }
}

export const DESCRIPTION_FILE = new URL('../../openapi.json', import.meta.url)
export const description: ApiDescription = withParameters(JSON.parse(readFileSync(DESCRIPTION_FILE, 'utf8')))

export const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
)

// With the shared parameters in the place of the references to them.
export function withParameters<Api extends object>(api: Api): Api {
  const { parameters: shared } = (api as { components: { parameters: Record<string, Parameter> } }).components
  const text = JSON.stringify(api).replace(/\{"\$ref":"#\/components\/parameters\/(\w+)"\}/g, (_, name) =>
    JSON.stringify(shared[name]),
  )
  return JSON.parse(text)
}

const ajv = new Ajv2020({ strict: false, logger: false })
ajv.addFormat('date-time', isRfc3339)
ajv.addSchema(description, 'api')

// Ajv compiles a schema once for each object.
const absoluteSchemas = new WeakMap<Schema, Schema>()

// Returns the violations.
export function violationsOf(schema: Schema, value: unknown): string {
  const absolute = absoluteSchemas.get(schema) ?? JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'))
  absoluteSchemas.set(schema, absolute)
  return ajv.validate(absolute, value) ? '' : ajv.errorsText()
}

export function resolve(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name ? (description.components.schemas[name] as Schema) : schema
}

export const bodySchema = ({ requestBody }: Operation): Schema | undefined =>
  requestBody?.content['application/json']?.schema
