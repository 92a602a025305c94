// The server: its version for everyone, and what its checkup found for those who run it.
import type { VersionView } from '../../../src/contract/doctor.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { ServerChecks } from './checks.tsx'

export function ServerSection({ isOperator }: { isOperator: boolean }) {
  const { value } = useLoaded(() => api.get<VersionView>('/system/version'))
  return (
    <section class="card section">
      <h2>{TEXTS.server.title}</h2>
      <p>{value ? TEXTS.server.version(value.version) : TEXTS.loading}</p>
      {isOperator && <ServerChecks />}
    </section>
  )
}
