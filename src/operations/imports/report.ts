// What an import has brought, what was there already, and what could not be brought.
import type { Loss } from '../../domain/imports/foreign.ts'

export type Tally = { brought: number; known: number }
export type ImportReport = Record<'accounts' | 'keys' | 'apps' | 'messages', Tally> & { losses: Loss[] }

export type Reporting = ImportReport & { lose(what: string, why: string): void }

export function newReport(losses: readonly Loss[]): Reporting {
  const none = (): Tally => ({ brought: 0, known: 0 })
  const report = { accounts: none(), keys: none(), apps: none(), messages: none(), losses: [...losses] }
  const lose = (what: string, why: string) => {
    const same = report.losses.find((loss) => loss.what === what && loss.why === why)
    if (same) same.count++
    else report.losses.push({ what, why, count: 1 })
  }
  return { ...report, lose }
}
