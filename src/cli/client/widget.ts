// heliograph widget set | get | show | list | rm
import { Command } from 'commander'
import { LIMITS } from '../../contract/limits.ts'
import type { WidgetView } from '../../contract/widgets.ts'
import { columns, commandGroup, print, printableLine } from '../output.ts'
import { type Api, apiFor } from './api.ts'
import { type Content, contentFrom, withContent } from './arguments/content-arguments.ts'
import { asClient, withDuration } from './arguments/options.ts'
import { listCommand, removeBySlug, showing } from './common-commands.ts'
import { ClientError } from './errors.ts'
import { showCommand } from './show.ts'

export const widgetCommand = (): Command =>
  commandGroup(
    'widget',
    'create, change, list and delete widgets',
    'heliograph widget set office template=value value=21.5 unit=°C',
    [
      setCommand(),
      getCommand(),
      showCommand({
        noun: 'widget',
        path: '/widgets',
        families: 'small, medium, large, extra-large, circular, rectangular, inline or badge',
        example: 'office',
      }),
      listWidgets(),
      removeBySlug('widget', 'delete a widget', 'office', '/widgets'),
    ],
  )

const pathOf = (slug: string) => `/widgets/${encodeURIComponent(slug)}`

type SetOptions = { name?: string; throttle?: number; staleAfter?: number; content?: string; json?: boolean }

function setCommand(): Command {
  const command = new Command('set')
    .description('change a widget, or create it; members that are not given keep their value')
    .argument('<slug>')
  withContent(command).option('--name <text>', 'name in the widget picker (default for a new one: the slug)')
  withDuration(command, '--throttle <duration>', 'least time between pushes', LIMITS.widget.pushThrottleSeconds)
  withDuration(command, '--stale-after <duration>', 'show it as stale after', LIMITS.widget.staleAfterSeconds)
  asClient(command, 'heliograph widget set office value=22.1 severity=warning')
  return command.action(async (slug: string, assigned: Content | undefined, options: SetOptions) => {
    const content = await contentFrom(command, assigned, options.content)
    const { name, throttle, staleAfter } = options
    const change = { name, content, push_throttle: throttle, stale_after: staleAfter }
    if (Object.values(change).every((value) => value === undefined)) command.error('error: give something to set')
    const { verb, widget } = await changeOrCreate(apiFor(command), slug, change)
    print(options.json, widget, `${verb} ${widget.slug}`)
  })
}

type Change = { name?: string; content?: Content; push_throttle?: number; stale_after?: number }

async function changeOrCreate(api: Api, slug: string, change: Change): Promise<{ verb: string; widget: WidgetView }> {
  try {
    return { verb: 'changed', widget: (await api<WidgetView>('PATCH', pathOf(slug), change)).body }
  } catch (error) {
    if (!(error instanceof ClientError && error.problem === 'widget.not_found')) throw error
    const created = { ...change, slug, name: change.name ?? slug, content: change.content ?? {} }
    return { verb: 'created', widget: (await api<WidgetView>('POST', '/widgets', created)).body }
  }
}

const getCommand = (): Command => {
  const command = new Command('get').description('show a widget').argument('<slug>')
  return showing(command, 'heliograph widget get office', pathOf, widgetInWords)
}

const listWidgets = (): Command =>
  listCommand<WidgetView>('widget', 'list the widgets', {
    path: '/widgets',
    head: ['SLUG', 'NAME', 'TEMPLATE', 'UPDATED'],
    row: ({ slug, name, content, updated_at }) => [slug, printableLine(name), content.template, updated_at],
    none: 'no widgets yet',
  })

function widgetInWords({ slug, name, content, updated_at: updatedAt }: WidgetView): string {
  const members = Object.entries(content).map(([member, value]) => [
    member,
    printableLine(typeof value === 'string' ? value : JSON.stringify(value)),
  ])
  return columns([['slug', slug], ['name', printableLine(name)], ...members, ['updated', updatedAt]])
}
