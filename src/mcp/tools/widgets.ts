// Tools that show a value in a widget and read it back.
import { Type } from 'typebox'
import { closed, Slug } from '../../contract/fields.ts'
import { WidgetInput, WidgetView } from '../../contract/widgets.ts'
import { putWidget, readWidget } from '../../operations/widgets/widgets.ts'
import { widgetView } from '../../views/widgets.ts'
import { defineTool, READS } from './tool.ts'

export const setWidgetTool = defineTool({
  name: 'set_widget',
  title: 'Show something in a widget',
  description: 'Creates a widget, or replaces the one with this slug.',
  input: WidgetInput,
  output: WidgetView,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  access: { resource: 'widgets', level: 'write' },
  slugs: 'widgets',
  run: async (ctx, caller, widget) => widgetView((await putWidget(ctx, caller, widget, 'commit')).widget),
})

export const getWidgetTool = defineTool({
  name: 'get_widget',
  title: 'Read a widget',
  description: 'Reads the content of a widget.',
  input: Type.Object({ slug: Slug }, closed),
  output: WidgetView,
  annotations: READS,
  access: { resource: 'widgets', level: 'read' },
  slugs: 'widgets',
  run: async (ctx, caller, { slug }) => widgetView(await readWidget(ctx, caller, slug)),
})
