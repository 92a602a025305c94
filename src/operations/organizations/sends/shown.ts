// Notifications of an organization as its callers read them: with the target and how far they have spread.
import type { NotificationId } from '../../../domain/notifications/notification.ts'
import type { ShownOrgSend } from '../../../domain/organizations/send.ts'
import type { Reader } from '../../../store/engine/database.ts'
import { findProgress, findSend } from '../../../store/organizations/sends.ts'

export async function findShownSend(db: Reader, headId: NotificationId): Promise<ShownOrgSend | undefined> {
  const send = await findSend(db, headId)
  return send && { ...send, ...(await findProgress(db, headId)) }
}
