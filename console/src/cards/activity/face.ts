// The part of an activity's card that depends on the template. Frame, texts, colours and buttons are shared (card.tsx).
import type { ComponentType } from 'preact'
import { now } from '../../ui/time.tsx'
import { fractionOf } from '../format.ts'
import type { ActivityContent, ShownActivity } from './content.ts'

export type ActivityFace = {
  // Default accent colour and icon.
  color: string
  icon: string
  // The largest text of the card, if it is not `state`.
  headline?: (content: ActivityContent) => string | undefined
  Body: ComponentType<{ activity: ShownActivity }>
  // The compact form next to the camera (Dynamic Island): a few characters and a ring.
  compact: (content: ActivityContent) => { text: string; fraction?: number }
}

// By the clock of this browser.
export const secondsLeft = ({ end_date = 0 }: ActivityContent): number => Math.ceil(end_date - now.value / 1000)

// With `live_progress` the bar follows the clock; otherwise it shows `progress`.
export function fractionDone({ live_progress, start_date, end_date, progress }: ActivityContent): number | undefined {
  if (live_progress && end_date !== undefined && start_date !== undefined) {
    return fractionOf(now.value / 1000, start_date, end_date)
  }
  return progress
}
