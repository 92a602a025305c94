// Turns schemas with a `title` into named components: the first occurrence defines the component, every occurrence
// becomes a `$ref` to it.

type Node = { title?: string; type?: string | string[]; [keyword: string]: unknown }

export type SchemaRegistry = {
  // Returns a copy of the schema in which every titled schema is a reference.
  refer(schema: object): Node
  named(): Record<string, object>
}

export function createSchemaRegistry(): SchemaRegistry {
  const components = new Map<string, object>()

  function refer(schema: object): Node {
    const { title, ...node } = schema as Node
    if (typeof title !== 'string') return referInside(node)
    if (Array.isArray(node.type)) return { anyOf: [refer({ ...node, title, ...withoutNull(node) }), { type: 'null' }] }
    define(title, referInside(node))
    return { $ref: `#/components/schemas/${title}` }
  }

  function define(title: string, component: object): void {
    const known = components.get(title)
    if (known && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`two different schemas have the title ${title}`)
    }
    components.set(title, component)
  }

  const referInside = (node: Node): Node =>
    Object.fromEntries(Object.entries(node).map(([keyword, value]) => [keyword, referIn(keyword, value)]))

  // `properties` maps names to schemas, so a property called "title" is not a title.
  function referIn(keyword: string, value: unknown): unknown {
    if (keyword === 'examples' || keyword === 'enum' || keyword === 'required') return value
    if (keyword === 'properties') return mapValues(value as Record<string, object>, refer)
    if (Array.isArray(value)) return value.map((entry) => (isObject(entry) ? refer(entry) : entry))
    return isObject(value) ? refer(value) : value
  }

  return { refer, named: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

// Nullable() of contract/fields.ts adds "null" to the type and the enum.
function withoutNull({ type, enum: values }: Node): Partial<Node> {
  const types = (type as string[]).filter((one) => one !== 'null')
  return { type: types[0], ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }) }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function mapValues<In, Out>(record: Record<string, In>, change: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
