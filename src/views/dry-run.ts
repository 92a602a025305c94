// The response to ?dry_run=true.
import type { DryRun, PushPreview } from '../contract/dry-run.ts'
import type { QuotaEffect } from '../domain/accounts/quota.ts'
import type { Delivery } from '../domain/notifications/delivery.ts'

// The pushes that would be sent, and the quota after the request.
export type DryRunEffects = {
  pushes: PushPreview[]
  quota?: QuotaEffect
  // Why a notification would not be pushed.
  reason?: Delivery['reason']
  // Only for notifications of organizations.
  recipients?: { members: number; devices: number }
}

export function dryRunView(
  action: string,
  resource: object,
  { pushes, quota, reason, recipients }: DryRunEffects,
): DryRun {
  return {
    valid: true,
    would: {
      action,
      resource,
      pushes,
      quota: quota && { ...quota, limit: quota.limit ?? undefined },
      reason,
      recipients,
    },
  }
}
