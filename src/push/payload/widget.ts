// The push without content that makes a device fetch its widgets again.
import type { WidgetReload } from '../../domain/push.ts'

// Apple's widgets push type cannot say which widget has changed.
export const apnsWidgetReload = (): string => JSON.stringify({ aps: { 'content-changed': true } })

export const webPushWidgetReload = ({ slug }: WidgetReload['widget']): string =>
  JSON.stringify({ type: 'widget.updated', slug })
