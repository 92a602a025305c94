// Approves a browser that asks to be signed in: the person types the code of its screen, sees what asks and from where, and decides.
import './sign-in.css'
import { useState } from 'preact/hooks'
import type { SignInRequestView } from '../../../src/contract/accounts/ways-in.ts'
import { ApiError, api, messageOf } from '../api/client.ts'
import { browserInWords } from '../state/this-browser.ts'
import { showToast } from '../state/toasts.ts'
import { WAY_IN_TEXTS } from '../texts/account.ts'
import { TEXTS } from '../texts/base.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { Facts, Page } from '../ui/page.tsx'
import { Refusal, useRefusal } from '../ui/refusal.tsx'
import { Ago } from '../ui/time.tsx'
import { requestCodeInGroups } from './request-code.ts'

export const APPROVE_PATH = '/app/settings/approve'

const { approve: words } = WAY_IN_TEXTS

const refusalInWords = (error: unknown): string =>
  error instanceof ApiError && error.code === 'sign_in_request.not_found' ? words.notFound : messageOf(error)

export function ApprovePage() {
  const [request, setRequest] = useState<SignInRequestView>()
  const [code, setCode] = useState('')
  const { refusal, isBusy, attempt } = useRefusal(refusalInWords)
  const find = () =>
    attempt(async () => setRequest(await api.post<SignInRequestView>('/auth/requests/find', { code: code.trim() })))
  const restart = () => {
    setRequest(undefined)
    setCode('')
  }
  const toSettings = (
    <ButtonLink icon="back" href="/app/settings">
      {TEXTS.nav.settings}
    </ButtonLink>
  )
  return (
    <Page title={words.title} intro={words.intro} actions={toSettings}>
      {request ? (
        <Question request={request} onAnswered={restart} />
      ) : (
        <Form class="card section" onSubmit={find}>
          <div class="inline-form">
            <TextField label={words.code} hint={words.codeHint} value={code} onInput={setCode} maxLength={16} isCode />
            <Button type="submit" look="primary" disabled={isBusy || code.trim() === ''}>
              {words.find}
            </Button>
          </div>
          <Refusal words={refusal} />
        </Form>
      )}
    </Page>
  )
}

function Question({ request, onAnswered }: { request: SignInRequestView; onAnswered: () => void }) {
  const { refusal, attempt } = useRefusal(refusalInWords)
  const answer = (work: () => Promise<unknown>, done: string) => async () => {
    if (!(await attempt(work))) return
    showToast(done)
    onAnswered()
  }
  const path = `/auth/requests/${request.id}`
  return (
    <section class="card section">
      <h2>{words.question}</h2>
      <p class="sign-in-code">{requestCodeInGroups(request.code)}</p>
      <Facts
        rows={[
          [words.browser, request.browser ? browserInWords(request.browser) : words.unknownBrowser],
          [words.address, request.address],
          [words.asked, <Ago key="asked" at={request.created_at} />],
        ]}
      />
      <p class={request.same_network ? 'note' : 'note note-bad'}>
        <Icon name={request.same_network ? 'check' : 'alert'} size={18} />
        <span>{request.same_network ? words.sameNetwork : words.otherNetwork}</span>
      </p>
      <p class="muted">{words.warning}</p>
      <Refusal words={refusal} />
      <div class="card-actions">
        <Button look="primary" onClick={answer(() => api.post(`${path}/approve`), words.approved)}>
          {words.yes}
        </Button>
        <Button look="danger" onClick={answer(() => api.delete(path), words.refused)}>
          {words.no}
        </Button>
      </div>
    </section>
  )
}
