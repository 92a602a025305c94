// The checks of the server as operators see them.
import type { CheckupView, ServerAddresses } from '../contract/doctor.ts'
import { type Instant, toRfc3339 } from '../domain/instant.ts'

export const checkupView = (checkup: { checkedAt: Instant; findings: CheckupView['items'] }): CheckupView => ({
  checked_at: toRfc3339(checkup.checkedAt),
  items: checkup.findings,
})

type Addresses = { addresses: string[]; listensElsewhere: boolean; startedAs: ServerAddresses['started_as'] }

export const addressesView = ({ addresses, listensElsewhere, startedAs }: Addresses): ServerAddresses => ({
  addresses,
  listens_elsewhere: listensElsewhere,
  started_as: startedAs,
})
