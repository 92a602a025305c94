// Asks to be signed in by another device: shows a code, and waits until the person has approved it there.
import { useEffect, useState } from 'preact/hooks'
import type { NewSignInRequest, SignInRequestState } from '../../../src/contract/accounts/ways-in.ts'
import { clockDuration } from '../../../src/domain/screens/duration.ts'
import { ApiError, api, isUnreachable, messageOf } from '../api/client.ts'
import { session, signedIn } from '../state/session.ts'
import { showToast } from '../state/toasts.ts'
import { everyWhileVisible } from '../state/use-loaded.ts'
import { WAY_IN_TEXTS } from '../texts/account.ts'
import { Button } from '../ui/button.tsx'
import { now } from '../ui/time.tsx'
import { requestCodeInGroups } from './request-code.ts'

const { device: words } = WAY_IN_TEXTS

const POLL_MS = 3000
// How long the server keeps a request. Counted here, because the clocks may differ.
const REQUEST_SECONDS = 300

type Asked = NewSignInRequest & { askedMs: number }

export function AskDevice({ onBack }: { onBack: () => void }) {
  const { asked, ended, ask } = useRequest()
  return (
    <>
      {ended ? (
        <>
          <p class="sign-in-message" role="alert">
            {ended}
          </p>
          <Button look="primary" onClick={ask}>
            {words.again}
          </Button>
        </>
      ) : (
        asked && <Code asked={asked} />
      )}
      <Button look="quiet" icon="back" onClick={onBack}>
        {words.back}
      </Button>
    </>
  )
}

function Code({ asked }: { asked: Asked }) {
  const goneSeconds = Math.max(0, Math.floor((now.value - asked.askedMs) / 1000))
  const leftSeconds = Math.max(0, REQUEST_SECONDS - goneSeconds)
  return (
    <>
      <p class="sign-in-lead">{words.lead}</p>
      <p class="sign-in-code">{requestCodeInGroups(asked.code)}</p>
      <ol class="sign-in-steps">
        {words.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p class="muted">
        <span class="dot dot-live" /> {words.waiting} <span role="timer">{clockDuration(leftSeconds)}</span>
      </p>
    </>
  )
}

function useRequest() {
  const [asked, setAsked] = useState<Asked>()
  const [ended, setEnded] = useState<string>()
  const ask = async () => {
    setEnded(undefined)
    try {
      setAsked({ ...(await api.post<NewSignInRequest>('/auth/session/requests')), askedMs: Date.now() })
    } catch (error) {
      setEnded(messageOf(error))
    }
  }
  useEffect(() => void ask(), [])
  useEffect(() => {
    if (!asked || ended) return
    return everyWhileVisible(POLL_MS, () =>
      fetchSession(asked).catch((error) => {
        // A moment without a network does not end the request.
        if (isUnreachable(error) || (error instanceof ApiError && error.status === 429)) return
        setEnded(words.ended)
      }),
    )
  }, [asked, ended])
  return { asked, ended, ask }
}

async function fetchSession({ id, secret }: Asked): Promise<void> {
  const { state } = await api.post<SignInRequestState>(`/auth/session/requests/${id}`, { secret })
  if (state !== 'signed_in') return
  await signedIn()
  // Somebody else may have typed the code.
  if (session.value.state === 'signed-in') showToast(words.signedInAs(session.value.account.nickname))
}
