// Confirmation before leaving shares. An activity can be reached by several: directly, and by patterns.
import type { ShareView } from '../../../src/contract/shares.ts'
import { api, unlessMissing } from '../api/client.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { SHARE_TEXTS } from '../texts/shares.ts'
import { Confirm } from '../ui/dialog.tsx'

type LeaveSharesProps = { what: string; shares: ShareView[]; onClose: () => void; onDone: () => void }

export function LeaveShares({ what, shares, onClose, onDone }: LeaveSharesProps) {
  const patterns = shares.flatMap(({ slug_pattern }) => slug_pattern ?? [])
  const leave = async () => {
    // A share that is missing was ended by its owner in the meantime.
    for (const { id } of shares) await unlessMissing(api.delete(`/shares/${id}`))
  }
  return (
    <Confirm
      title={SHARE_TEXTS.leaveTitle(what)}
      confirm={JOIN_TEXTS.leave}
      work={leave}
      onClose={onClose}
      onDone={onDone}
    >
      {patterns.length > 0 ? SHARE_TEXTS.leavePatternText(patterns.join(', ')) : SHARE_TEXTS.leaveText}
    </Confirm>
  )
}
