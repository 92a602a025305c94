// The schemas of a tool as tools/list shows them. Every session of an agent pays for them with its context, so they say what a
// model needs in order to call the tool and read its result. The schemas of the contract check the arguments, and their
// violations tell the model what is wrong.
import type { TObject } from 'typebox'

// JSON Schema, as typebox makes it.
type Schema = {
  type?: string | string[]
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  description?: string
  [keyword: string]: unknown
}
type Change = (member: Schema) => Schema

// Each member with its bounds. A pattern has a description that says it in words.
export function listedInput(schema: TObject): object {
  const { properties = {}, required } = schema as unknown as Schema
  return { type: 'object', required, properties: mapValues(properties, listedMember), additionalProperties: false }
}

function listedMember({ title: _, examples: __, minLength: ___, pattern, ...schema }: Schema): Schema {
  return { ...schema, ...(schema.description === undefined && { pattern }), ...changeNested(schema, describedType) }
}

const describedType: Change = (schema) => ({
  ...typeOf(schema),
  ...(schema.description !== undefined && { description: schema.description }),
  ...changeNested(schema, deepType),
})

// As content has them: the same few objects in many places, whose descriptions would be repeated.
const deepType: Change = (schema) => ({ ...typeOf(schema), ...changeNested(schema, deepType) })

// Null is another way to leave a nested member out.
function typeOf({ type, enum: values, required }: Schema): Schema {
  const types = [type ?? []].flat().filter((one) => one !== 'null')
  return {
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...(values && { enum: values.filter((value) => value !== null) }),
    ...(required && { required }),
  }
}

// The types of the members and, of a page, those of its items. Without what the caller sent: it comes back as it was.
export function listedOutput(schema: TObject, input: TObject): object {
  const { properties = {} } = schema as unknown as Schema
  const added = Object.entries(properties).filter(([name]) => !(name in input.properties))
  const { items: page } = properties
  return {
    type: 'object',
    properties: {
      ...mapValues(Object.fromEntries(added), flatType),
      ...(page?.items && {
        items: { type: 'array', items: { type: 'object', ...changeNested(page.items, flatType) } },
      }),
    },
  }
}

const flatType: Change = ({ type, enum: values }) => ({ ...(type && { type }), ...(values && { enum: values }) })

const changeNested = ({ properties, items }: Schema, change: Change): Schema => ({
  ...(properties && { properties: mapValues(properties, change) }),
  ...(items && { items: change(items) }),
})

const mapValues = (members: Record<string, Schema>, change: Change): Record<string, Schema> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]))
