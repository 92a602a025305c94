// A widget as clients see it.
import type { WallLinkView, WidgetView } from '../contract/widgets.ts'
import { type Instant, toRfc3339 } from '../domain/instant.ts'
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

// Links to the wall as clients see them.
type WallLink = { id: string; name: string | null; createdAt: Instant }

export const wallLinkView = ({ id, name, createdAt }: WallLink): WallLinkView => ({
  id,
  ...(name !== null && { name }),
  created_at: toRfc3339(createdAt),
})
