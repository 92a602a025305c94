// A mute as clients see it.
import type { MuteView } from '../contract/notifications/mute.ts'
import { toRfc3339 } from '../domain/instant.ts'
import type { Mute } from '../domain/notifications/mute.ts'

export const muteView = ({ id, kind, value, until, createdAt }: Mute): MuteView => ({
  id,
  [kind]: value,
  until: toRfc3339(until),
  created_at: toRfc3339(createdAt),
})
