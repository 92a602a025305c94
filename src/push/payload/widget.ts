// The thin push that makes a widget extension fetch its widgets again. It carries no content.

// Apple's widgets push type knows only "something changed".
export const apnsWidgetReload = (): object => ({ aps: { 'content-changed': true } })

export const webWidgetReload = (slug: string): object => ({ type: 'widget.updated', slug })
