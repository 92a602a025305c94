// A widget as clients see it.
import type { WidgetView } from '../contract/widget.ts'
import { toRfc3339 } from '../domain/instant.ts'
import type { Widget } from '../domain/widgets/widget.ts'

export function widgetView(widget: Widget): WidgetView {
  return {
    slug: widget.slug,
    name: widget.name,
    content: widget.content,
    push_throttle: widget.pushThrottleSeconds ?? undefined,
    stale_after: widget.staleAfterSeconds ?? undefined,
    created_at: toRfc3339(widget.createdAt),
    updated_at: toRfc3339(widget.updatedAt),
  }
}
