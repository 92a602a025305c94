// All programs that send to the account, whichever way: with a key, to a webhook, or as a heartbeat.
import '../connections/connections.css'
import { loadPrograms } from '../connections/load.ts'
import type { Program } from '../connections/programs.ts'
import { FIRST_RUN } from '../first-run/visibility.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { TEXTS } from '../texts/base.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Empty, Page, Waiting } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

const ICONS: Record<Program['kind'], IconName> = { key: 'key', webhook: 'hook', heartbeat: 'heartbeat' }

// No event tells that a key was used.
const RELOAD_MS = 60_000

export function ConnectionsPage() {
  const on = ['key.', 'hook.', 'heartbeat.', 'notification.created']
  const { value, error, reload } = useLoaded(loadPrograms, { on, everyMs: RELOAD_MS })
  const connect = (
    <ButtonLink look="primary" icon="plus" href={FIRST_RUN}>
      {ACCOUNT_TEXTS.connections.connect}
    </ButtonLink>
  )
  return (
    <Page title={TEXTS.nav.connections} intro={ACCOUNT_TEXTS.connections.intro} actions={connect}>
      {!value && <Waiting error={error} retry={reload} />}
      {value?.length === 0 && <Empty icon="hook" title={ACCOUNT_TEXTS.connections.none} />}
      {value && value.length > 0 && (
        <ul class="card programs">
          {value.map((program) => (
            <ProgramRow key={`${program.kind} ${program.id}`} program={program} />
          ))}
        </ul>
      )}
    </Page>
  )
}

function ProgramRow({ program: { kind, name, page, lastSeenAt, sent, refused = 0 } }: { program: Program }) {
  return (
    <li>
      <a href={page}>
        <Icon name={ICONS[kind]} />
        <span class="program-words">
          <strong dir="auto">{name}</strong>
          <span class="muted">
            {ACCOUNT_TEXTS.connections.kinds[kind]} ·{' '}
            {lastSeenAt ? (
              <>
                {ACCOUNT_TEXTS.connections.seen} <Ago at={lastSeenAt} />
              </>
            ) : (
              ACCOUNT_TEXTS.connections.never
            )}
          </span>
        </span>
        <span class="program-counts">
          {sent !== undefined && <span>{ACCOUNT_TEXTS.connections.sent(sent)}</span>}
          {refused > 0 && <span class="bad">{ACCOUNT_TEXTS.connections.refused(refused)}</span>}
        </span>
        <Icon name="next" size={18} />
      </a>
    </li>
  )
}
