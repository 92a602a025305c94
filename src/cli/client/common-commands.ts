// Commands that most nouns have alike: show one, list all, delete one.
import { Command } from 'commander'
import { columns, print } from '../output.ts'
import { type Api, apiFor } from './api.ts'
import { asClient } from './arguments/options.ts'

export type Asked = { json?: boolean }

// An id in examples.
export const EXAMPLE_ID = '0b9c3f0e-2f6b-4c1e-9c38-6d3f8f2f6a11'

// `pathOf` gets the arguments of the command.
export function showing<View extends object>(
  command: Command,
  example: string,
  pathOf: (...names: string[]) => string,
  inWords: (view: View) => string,
): Command {
  return asClient(command, example).action(async () => {
    const { body } = await apiFor(command)<View>('GET', pathOf(...command.args))
    print(command.opts<Asked>().json, body, inWords(body))
  })
}

// `head`: the names of the columns, if they do not explain themselves.
type Listed<Item> = { path: string; head?: string[]; row: (item: Item) => string[]; none: string }

export function listCommand<Item>(noun: string, description: string, { path, head, row, none }: Listed<Item>): Command {
  const command = new Command('list').description(description)
  const inWords = ({ items }: { items: Item[] }) => tableOf(head, items.map(row), none)
  return showing(command, `heliograph ${noun} list`, () => path, inWords)
}

// The items of all pages. `cursor`: the parameter that asks for the next one.
export async function allPages<Item>(
  api: Api,
  path: string,
  cursor: 'after' | 'cursor',
  filter: Record<string, string>,
): Promise<Item[]> {
  const items: Item[] = []
  for (let next: string | undefined; ; ) {
    const query = new URLSearchParams({ limit: '100', ...filter, ...(next && { [cursor]: next }) })
    const { body: page } = await api<{ items: Item[]; next_cursor?: string }>('GET', `${path}?${query}`)
    items.push(...page.items)
    next = page.next_cursor
    if (!next) return items
  }
}

export const tableOf = (head: string[] | undefined, rows: string[][], none: string): string =>
  rows.length > 0 ? columns(head ? [head, ...rows] : rows) : none

export function removeBySlug(noun: string, description: string, example: string, path: string): Command {
  const command = new Command('rm').description(description).argument('<slug>')
  return asClient(command, `heliograph ${noun} rm ${example}`).action(async (slug: string, { json }: Asked) => {
    await apiFor(command)('DELETE', `${path}/${encodeURIComponent(slug)}`)
    print(json, { slug, deleted: true }, `deleted ${slug}`)
  })
}

// `done`: what to print before the noun and the id.
export function removeById(noun: string, description: string, path: string, done: string): Command {
  const command = new Command('rm')
    .description(description)
    .argument('<id>', `id of the ${noun}, as "heliograph ${noun} list" prints it`)
  return asClient(command, `heliograph ${noun} rm ${EXAMPLE_ID}`).action(async (id: string, { json }: Asked) => {
    await apiFor(command)('DELETE', `${path}/${encodeURIComponent(id)}`)
    print(json, { id, deleted: true }, `${done} ${noun} ${id}`)
  })
}
