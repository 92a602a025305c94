// Where the person is signed in: every session with its last use, and buttons that end one, the others, or all of them.
import './account.css'
import type { ListedSession } from '../../../src/contract/accounts/session.ts'
import { api } from '../api/client.ts'
import { signOut } from '../state/session.ts'
import { browserInWords } from '../state/this-browser.ts'
import { showToast } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { TEXTS } from '../texts/base.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Page, Waiting } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

export const SESSIONS_PATH = '/app/settings/sessions'

const { sessions: words } = ACCOUNT_TEXTS

const ICONS: Record<ListedSession['kind'], IconName> = { console: 'computer', device: 'device', token: 'key' }

const nameOf = ({ name, kind }: ListedSession): string => {
  if (!name) return words.unnamed[kind]
  return kind === 'console' ? browserInWords(name) : name
}

const currentFirst = (one: ListedSession, other: ListedSession) => Number(other.current) - Number(one.current)

export function SessionsPage() {
  const load = () => api.get<{ items: ListedSession[] }>('/auth/sessions')
  const { value, error, reload } = useLoaded(load, { on: 'session.' })
  const toSettings = (
    <ButtonLink icon="back" href="/app/settings">
      {TEXTS.nav.settings}
    </ButtonLink>
  )
  return (
    <Page title={words.title} intro={words.intro} actions={toSettings}>
      {!value && <Waiting error={error} retry={reload} />}
      {value && (
        <>
          <ul class="card plain-list account-list">
            {value.items.toSorted(currentFirst).map((session) => (
              <SessionRow key={session.id} session={session} onEnded={reload} />
            ))}
          </ul>
          <Everywhere others={value.items.filter(({ current }) => !current).length} onEnded={reload} />
        </>
      )}
    </Page>
  )
}

function SessionRow({ session, onEnded }: { session: ListedSession; onEnded: () => Promise<void> }) {
  const name = nameOf(session)
  const end = async () => {
    await api.delete(`/auth/sessions/${session.id}`)
    showToast(words.ended)
    await onEnded()
  }
  return (
    <li>
      <Icon name={ICONS[session.kind]} />
      <span class="account-words">
        <strong dir="auto">{name}</strong>
        <span class="muted">
          {words.kinds[session.kind]} · {words.created} <Ago at={session.created_at} /> ·{' '}
          {session.last_used_at ? (
            <>
              {words.lastUsed} <Ago at={session.last_used_at} />
            </>
          ) : (
            words.neverUsed
          )}
        </span>
      </span>
      {session.current ? (
        <span class="tag">{words.current}</span>
      ) : (
        <ConfirmButton
          size="small"
          look="danger"
          icon="out"
          text={words.end}
          label={words.endOf(name)}
          title={words.endTitle(name)}
          work={end}
        >
          {words.endText}
        </ConfirmButton>
      )}
    </li>
  )
}

function Everywhere({ others, onEnded }: { others: number; onEnded: () => Promise<void> }) {
  const endOthers = async () => {
    const { ended } = await api.delete<{ ended: number }>('/auth/sessions')
    showToast(words.endedOthers(ended))
    await onEnded()
  }
  return (
    <section class="card section">
      <h2>{words.everywhere}</h2>
      <p class="muted">{others === 0 ? words.onlyThis : words.endOthersText}</p>
      <div class="account-actions">
        {others > 0 && (
          <ConfirmButton icon="out" text={words.endOthers} title={words.endOthersTitle} work={endOthers}>
            {words.endOthersText}
          </ConfirmButton>
        )}
        <ConfirmButton
          look="danger"
          icon="out"
          text={words.endAll}
          title={words.endAllTitle}
          confirm={words.everywhere}
          work={() => signOut({ isEverywhere: true })}
        >
          {words.endAllText}
        </ConfirmButton>
      </div>
    </section>
  )
}
