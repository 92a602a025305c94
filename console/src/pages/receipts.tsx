// Receipts of repeating alerts: active ones first, then the others with their outcome.
import type { NotificationList, NotificationView } from '../../../src/contract/notification.ts'
import type { ReceiptView } from '../../../src/contract/receipt.ts'
import { api } from '../api/client.ts'
import { decryptedView } from '../inbox/decryption.ts'
import { ReceiptCard, readReceipt } from '../inbox/receipt-card.tsx'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts.ts'
import { Empty, Page, Waiting } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

type AlertWithReceipt = { notification: NotificationView; receipt: ReceiptView }

const READABLE_DAYS = 7
// The API has no list of receipts, so they are read one by one. An account may have this many active ones.
const MAX_RECEIPTS = 25

async function loadReceipts(): Promise<AlertWithReceipt[]> {
  const since = new Date(Date.now() - READABLE_DAYS * 86_400_000).toISOString()
  const { items } = await api.get<NotificationList>(`/notifications?limit=100&since=${since}`)
  const candidates = items
    .filter(({ pushed, actions }) => pushed && actions?.some(({ url }) => !url))
    .slice(0, MAX_RECEIPTS)
  const found = await Promise.all(
    candidates.map(async (notification) => {
      const receipt = await readReceipt(notification.id)
      return receipt ? [{ notification, receipt }] : []
    }),
  )
  const isActive = ({ receipt }: AlertWithReceipt) => Number(receipt.status === 'active')
  return found.flat().sort((a, b) => isActive(b) - isActive(a))
}

export function ReceiptsPage() {
  const { value, error, reload } = useLoaded(loadReceipts, { on: 'receipt.created' })
  return (
    <Page title={TEXTS.nav.receipts} intro={TEXTS.receipts.intro}>
      {!value && <Waiting error={error} retry={reload} />}
      {value?.length === 0 && <Empty icon="receipt" title={TEXTS.receipts.none} />}
      <ul class="cards">
        {value?.map(({ notification, receipt }) => {
          const { id, title, actions, created_at, org_id, org_name } = decryptedView(notification)
          return (
            <li key={id} class="card">
              <div class="card-head">
                <h2>
                  <a href={`/app/n/${id}`}>{title}</a>
                </h2>
                {org_name && <span class="tag tag-plain">{org_name}</span>}
              </div>
              <p class="muted card-facts">
                <Ago at={created_at} />
              </p>
              <ReceiptCard
                id={id}
                actions={actions}
                initial={receipt}
                organization={org_id ? { id: org_id, isSender: false } : undefined}
              />
            </li>
          )
        })}
      </ul>
    </Page>
  )
}
