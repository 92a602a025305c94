// What a template says about how it looks. The frame around it, its words, colours and buttons are the same for all.
import type { ComponentType } from 'preact'
import { now } from '../../ui/time.tsx'
import { fractionOf } from '../format.ts'
import type { ActivityContent, ShownActivity } from './content.ts'

export type ActivityFace = {
  // The accent colour and the icon where the sender chose none.
  color: string
  icon: string
  // The words that stand largest, where they are not `state`.
  headline?: (content: ActivityContent) => string | undefined
  Body: ComponentType<{ activity: ShownActivity }>
  // What fits beside the camera: a few characters, and a ring.
  compact: (content: ActivityContent) => { text: string; fraction?: number }
}

// Seconds until its end, by the clock of this browser.
export const secondsLeft = ({ end_date = 0 }: ActivityContent): number => Math.ceil(end_date - now.value / 1000)

// A bar that draws itself follows the clock; any other shows what it was told.
export function fractionDone({ live_progress, start_date, end_date, progress }: ActivityContent): number | undefined {
  if (live_progress && end_date !== undefined && start_date !== undefined) {
    return fractionOf(now.value / 1000, start_date, end_date)
  }
  return progress
}
