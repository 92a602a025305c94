// Parameters that several operations have are described once, and the operations refer to them.
import type { Described, Parameter } from './operation.ts'

// Returns those that are shared, by their names in the document. A name that has several meanings is that of the most frequent one; the
// others stay with their operations.
export function shareParameters(operations: Described[]): Record<string, Parameter> {
  const uses = new Map<string, { parameter: Parameter; count: number }>()
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if ('$ref' in parameter) continue
    const text = JSON.stringify(parameter)
    uses.set(text, { parameter, count: (uses.get(text)?.count ?? 0) + 1 })
  }
  const shared: Record<string, Parameter> = {}
  const names = new Map<string, string>()
  for (const [text, { parameter, count }] of [...uses].sort(([, a], [, b]) => b.count - a.count)) {
    const name = sharedName(parameter)
    if (count < 2 || name in shared) continue
    shared[name] = parameter
    names.set(text, name)
  }
  for (const operation of operations) {
    if (!operation.parameters) continue
    operation.parameters = operation.parameters.map((parameter) => {
      const name = names.get(JSON.stringify(parameter))
      return name ? { $ref: `#/components/parameters/${name}` } : parameter
    })
  }
  return Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)))
}

// Such as PathOrgId.
const sharedName = (parameter: Parameter): string =>
  `${parameter.in}_${parameter.name}`.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase())
