// What a template says about how it looks. The frame around it, colours, buttons and staleness are the same for all.
import type { ComponentType } from 'preact'
import type { WidgetContent, WidgetView } from '../../../../src/contract/widget.ts'

export const HOME_FAMILIES = ['small', 'medium', 'large'] as const
export const LOCK_FAMILIES = ['circular', 'rectangular', 'inline'] as const
export type HomeFamily = (typeof HOME_FAMILIES)[number]
export type LockFamily = (typeof LOCK_FAMILIES)[number]
export type Family = HomeFamily | LockFamily

export type ShownWidget = Pick<WidgetView, 'name' | 'content' | 'stale_after' | 'updated_at'>
export type FaceProps = { content: WidgetContent; family: HomeFamily }

// What is left of it where there is room for one thing only.
export type Glance = { text: string; detail?: string; fraction?: number }

export type WidgetFace = {
  // The accent colour where the sender chose none.
  color: string
  Body: ComponentType<FaceProps>
  glance: (content: WidgetContent) => Glance
  // The label is part of what is drawn, so the widget's name stands above it.
  showsLabel?: true
}
