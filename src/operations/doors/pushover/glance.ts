// Shows a glance of Pushover as a widget, which the first glance creates.
import { Problem } from '../../../contract/problems.ts'
import type { WidgetContentPatch } from '../../../contract/widget.ts'
import type { Caller } from '../../../domain/caller.ts'
import { GLANCE_SLUG } from '../../../domain/doors/pushover/glance.ts'
import type { Context } from '../../context.ts'
import { patchWidget, putWidget } from '../../widgets/widgets.ts'

export async function showGlance(ctx: Context, caller: Caller, content: WidgetContentPatch): Promise<void> {
  try {
    await patchWidget(ctx, caller, GLANCE_SLUG, { patch: { content }, mode: 'commit' })
  } catch (error) {
    if (!(error instanceof Problem && error.problem === 'widget.not_found')) throw error
    const whole = { template: 'value', ...content } as Parameters<typeof putWidget>[2]['content']
    await putWidget(ctx, caller, { slug: GLANCE_SLUG, name: 'Glance', content: whole }, 'commit')
  }
}
