// The server: its version for everyone, and what its checkup found for those who run it.
import type { CheckupView, VersionView } from '../../../src/contract/doctor.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Button } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Waiting } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

export function ServerSection({ isOperator }: { isOperator: boolean }) {
  const { value } = useLoaded(() => api.get<VersionView>('/system/version'))
  return (
    <section class="card section">
      <h2>{SETUP_TEXTS.server.title}</h2>
      <p>{value ? SETUP_TEXTS.server.version(value.version) : TEXTS.loading}</p>
      {isOperator && <ServerChecks />}
    </section>
  )
}

type CheckResult = CheckupView['items'][number]
type Status = CheckResult['status']

const { server } = SETUP_TEXTS

const ICONS: Record<Status, IconName> = { ok: 'check', warning: 'alert', failure: 'close' }
const WORST_FIRST: Status[] = ['failure', 'warning', 'ok']

// Some checks wait for another server.
const CHECKS_MS = 60_000

function ServerChecks() {
  const load = () => api.get<CheckupView>('/system/checks', { answerMs: CHECKS_MS })
  const { value: checkup, error, reload } = useLoaded(load)
  return (
    <>
      <p class="muted">{server.text}</p>
      {checkup ? <Results items={checkup.items} /> : <Waiting error={error} retry={reload} />}
      {checkup && (
        <div class="checks-foot">
          <Button icon="roll" onClick={reload}>
            {server.again}
          </Button>
          <span class="muted" role="status">
            {error ?? (
              <>
                {server.checked} <Ago at={checkup.checked_at} />
              </>
            )}
          </span>
        </div>
      )}
    </>
  )
}

function Results({ items }: { items: CheckResult[] }) {
  const sorted = items.toSorted((a, b) => WORST_FIRST.indexOf(a.status) - WORST_FIRST.indexOf(b.status))
  return (
    <ul class="checks">
      {sorted.map(({ check, status, found, fix }) => (
        <li key={check} class={`check check-${status}`}>
          <Icon name={ICONS[status]} size={18} />
          <div>
            <strong>{check}</strong> <span class="check-status">{server.statuses[status]}</span>
            <p>{found}</p>
            {fix && (
              <p class="check-fix">
                {server.fix} {fix}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
