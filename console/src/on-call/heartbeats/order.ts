// The order of heartbeats in the list: those that need someone come first.
import type { HeartbeatView } from '../../../../src/contract/heartbeats.ts'

type Status = HeartbeatView['status']

const URGENCY: Record<Status, number> = { down: 0, late: 1, started: 2, up: 2, new: 2, paused: 3 }

// Heartbeats of the same urgency are sorted by name.
export const byUrgency = (heartbeats: readonly HeartbeatView[]): HeartbeatView[] =>
  heartbeats.toSorted((one, other) => URGENCY[one.status] - URGENCY[other.status] || one.name.localeCompare(other.name))
