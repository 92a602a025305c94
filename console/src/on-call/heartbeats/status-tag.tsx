// The status of a heartbeat: a word, an icon and a colour; and how urgent it is.
import type { HeartbeatView } from '../../../../src/contract/heartbeats.ts'
import { HEARTBEAT_TEXTS } from '../../texts/heartbeats.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'

type Status = HeartbeatView['status']

const LOOKS: Record<Status, { look: string; icon: IconName }> = {
  new: { look: 'tag-plain', icon: 'clock' },
  up: { look: 'tag-verified', icon: 'check' },
  started: { look: 'tag-running', icon: 'play' },
  late: { look: 'tag-warm', icon: 'clock' },
  down: { look: 'tag-suppressed', icon: 'alert' },
  paused: { look: 'tag-plain', icon: 'pause' },
}

export function StatusTag({ status }: { status: Status }) {
  const { look, icon } = LOOKS[status]
  return (
    <span class={`tag ${look} heartbeat-status`}>
      <Icon name={icon} size={14} />
      {HEARTBEAT_TEXTS.statuses[status]}
    </span>
  )
}

// In lists those that need someone come first.
const URGENCY: Record<Status, number> = { down: 0, late: 1, started: 2, up: 2, new: 2, paused: 3 }

// Heartbeats of the same urgency are sorted by name.
export const byUrgency = (heartbeats: readonly HeartbeatView[]): HeartbeatView[] =>
  heartbeats.toSorted((one, other) => URGENCY[one.status] - URGENCY[other.status] || one.name.localeCompare(other.name))
