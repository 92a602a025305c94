// The part of a widget's card that depends on the template. Frame, colours, buttons and staleness are shared (card.tsx).
import type { ComponentType } from 'preact'
import type { WidgetContent, WidgetView } from '../../../../src/contract/widgets.ts'

export const HOME_FAMILIES = ['small', 'medium', 'large', 'extra-large'] as const
export const LOCK_FAMILIES = ['circular', 'rectangular', 'inline'] as const
export type HomeFamily = (typeof HOME_FAMILIES)[number]
export type LockFamily = (typeof LOCK_FAMILIES)[number]
export type Family = HomeFamily | LockFamily

export type ShownWidget = Pick<WidgetView, 'name' | 'content' | 'stale_after' | 'updated_at'>
// `isWide`: twice as wide as the large family otherwise is.
export type FaceProps = { content: WidgetContent; family: Exclude<HomeFamily, 'extra-large'>; isWide: boolean }

export type WidgetFace = {
  Body: ComponentType<FaceProps>
  // The template draws the label itself, so the frame shows the name of the widget instead.
  showsLabel?: true
}
