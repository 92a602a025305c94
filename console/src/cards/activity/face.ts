// The part of an activity's card that depends on the template. Frame, texts, colours and buttons are shared (card.tsx).
import type { ComponentType } from 'preact'
import type { ActivityContent, ShownActivity } from '../../../../src/domain/screens/activity-content.ts'

export type ActivityFace = {
  // The largest text of the card, if it is not `state`.
  headline?: (content: ActivityContent) => string | undefined
  Body: ComponentType<{ activity: ShownActivity }>
}
