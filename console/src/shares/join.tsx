// The page behind a share link: shows what the code shares, and asks before joining.
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { JoinPreview, ShareView } from '../../../src/contract/share.ts'
import { ApiError, api, OFFLINE } from '../api/client.ts'
import { dropShareCode, JOIN_PATH, shareCode } from '../state/share-link.ts'
import { showToast } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { SHARE_TEXTS } from '../texts-shares.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Empty, Page, Waiting } from '../ui/page.tsx'
import { Refusal, useRefusal } from './refusal.tsx'
import { refusalInWords } from './refusal-words.ts'
import { codeIn } from './share-code.ts'

const { join } = SHARE_TEXTS

type Offer = JoinPreview['would'] | { refusal: string }

// A failure to reach the server is thrown: it says nothing about the code and can be retried.
async function loadOffer(code: string): Promise<Offer> {
  try {
    return (await api.post<JoinPreview>('/shares/join?dry_run=true', { code })).would
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === OFFLINE || error.status >= 500) throw error
    return { refusal: refusalInWords(error, 'join') }
  }
}

export function JoinPage() {
  const code = shareCode.value
  // Leaving the page is a decision too.
  useEffect(() => dropShareCode, [])
  return (
    <Page title={join.title}>
      {code ? (
        <CodeOffer key={code} code={code} />
      ) : (
        <section class="card section">
          <JoinForm />
        </section>
      )}
    </Page>
  )
}

function CodeOffer({ code }: { code: string }) {
  const { value, error, reload } = useLoaded(() => loadOffer(code))
  if (!value) return <Waiting error={error} retry={reload} />
  if ('refusal' in value) {
    return (
      <Empty icon="alert" title={join.refused} action={<Button onClick={dropShareCode}>{join.otherCode}</Button>}>
        <p role="alert">{value.refusal}</p>
      </Empty>
    )
  }
  return <Invitation code={code} offer={value} />
}

function Invitation({ code, offer }: { code: string; offer: JoinPreview['would'] }) {
  const { route } = useLocation()
  const { refusal, attempt } = useRefusal('join')
  const accept = async () => {
    const { activity_id } = await api.post<ShareView>('/shares/join', { code })
    showToast(join.done)
    route(activity_id ? `/app/activities/${activity_id}` : '/app/activities')
  }
  const { owner_nickname, role, slug, slug_pattern } = offer
  const what = slug_pattern ? join.pattern(slug_pattern) : join.activity(slug ?? '')
  return (
    <section class="card section invitation">
      <span class="invitation-icon">
        <Icon name="people" size={28} />
      </span>
      <h2>{join.heading(owner_nickname, what)}</h2>
      <p>{join.roles[role]}</p>
      <p>{slug_pattern ? join.patternEffect : join.effect}</p>
      <Refusal words={refusal} />
      <div class="card-actions">
        <Button look="primary" onClick={() => attempt(accept)}>
          {join.submit}
        </Button>
        <Button onClick={() => route('/app/')}>{join.notNow}</Button>
      </div>
    </section>
  )
}

export function JoinForm() {
  const { route } = useLocation()
  const [text, setText] = useState('')
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        shareCode.value = codeIn(text)
        route(JOIN_PATH)
      }}
    >
      <TextField
        label={join.field}
        hint={join.hint}
        placeholder={join.placeholder}
        value={text}
        onInput={setText}
        isCode
      />
      <Button type="submit" look="primary" disabled={text.trim() === ''}>
        {join.next}
      </Button>
    </form>
  )
}
