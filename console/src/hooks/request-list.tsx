// The last requests of a webhook: what became of each, what it said, and a button that carries it out again.
import type { HookOutcome, HookRequestView } from '../../../src/contract/hooks.ts'
import { api } from '../api/client.ts'
import { attempt, showToast } from '../state/toasts.ts'
import { HOOK_TEXTS } from '../texts/hooks.ts'
import { Button } from '../ui/button.tsx'
import { Ago } from '../ui/time.tsx'
import { Outcome } from './outcome.tsx'
import { useHookPaths } from './paths.ts'
import { isCut } from './request-body.ts'
import { RequestParts } from './request-parts.tsx'

export function RequestList({ hookId, requests }: { hookId: string; requests: HookRequestView[] }) {
  return (
    <section class="hook-requests">
      <h2 class="section-title">{HOOK_TEXTS.requests}</h2>
      <p class="muted">{requests.length === 0 ? HOOK_TEXTS.noRequests : HOOK_TEXTS.requestsHint}</p>
      <ul class="cards">
        {requests.map((request, index) => (
          <RequestCard key={request.number} hookId={hookId} request={request} isOpen={index === 0} />
        ))}
      </ul>
    </section>
  )
}

type RequestCardProps = { hookId: string; request: HookRequestView; isOpen: boolean }

function RequestCard({ hookId, request, isOpen }: RequestCardProps) {
  const { number, received_at, outcome } = request
  const { pathOf } = useHookPaths()
  const replay = () =>
    attempt(async () => {
      const { result, detail } = await api.post<HookOutcome>(`${pathOf(hookId)}/requests/${number}/replay`)
      showToast([HOOK_TEXTS.replayed[result], detail].filter(Boolean).join(' '))
    })
  return (
    <li class="card section">
      <div class="hook-section-head">
        <h3>
          {HOOK_TEXTS.request(number)}{' '}
          <span class="muted">
            <Ago at={received_at} />
          </span>
        </h3>
        <Button
          size="small"
          icon="play"
          label={`${HOOK_TEXTS.replay}: ${HOOK_TEXTS.request(number)}`}
          disabled={isCut(request)}
          onClick={replay}
        >
          {HOOK_TEXTS.replay}
        </Button>
      </div>
      <Outcome outcome={outcome} />
      <RequestParts request={request} isOpen={isOpen} />
    </li>
  )
}
