// Tag that says whose activity it is, or with how many it is shared.

import type { ActivityView } from '../cards/activity/view.ts'
import { SHARE_TEXTS } from '../texts/shares.ts'

type SharingTagProps = { activity: Pick<ActivityView, 'kind' | 'owner_nickname' | 'share_count'> }

export function SharingTag({ activity: { kind, owner_nickname, share_count } }: SharingTagProps) {
  if (kind === 'shared') return <span class="tag">{SHARE_TEXTS.from(owner_nickname)}</span>
  if (!share_count) return null
  return <span class="tag tag-plain">{SHARE_TEXTS.sharedWith(share_count)}</span>
}
