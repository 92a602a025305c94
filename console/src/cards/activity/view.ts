// Activities as the API shows them.
import type { ActivityContent } from './content.ts'

export type ActivityView = {
  slug: string
  name: string
  state: 'ongoing' | 'ended' | 'preempted'
  priority: number
  content: ActivityContent
  ended_ttl?: number
  stale_ttl?: number
  dismissal_ttl?: number
  updated_at: string
}
