// How to connect a tool: the address and the secret, which are shown once, where they go, and the first request as it
// arrives.
import type { HookRequestView, HookWithUrl } from '../../../src/contract/hooks.ts'
import { api } from '../api/client.ts'
import { AddressTruth } from '../phones/address-truth.tsx'
import { useLoaded } from '../state/use-loaded.ts'
import { HOOK_TOOLS } from '../texts/hook-tools.ts'
import { HOOK_TEXTS } from '../texts/hooks.ts'
import { Copyable } from '../ui/copy.tsx'
import { Outcome } from './outcome.tsx'
import { useHookPaths } from './paths.ts'
import { RequestParts } from './request-parts.tsx'
import { addressFor, isInInternet, testCommand } from './tools.ts'

// Stands for a secret that was set before.
const SECRET = 'SECRET'

// `secret`: empty if it is not known here. `after`: the number of the last request before the address was made.
type ConnectProps = { hook: HookWithUrl; secret: string; after: number }

export function Connect({ hook, secret, after }: ConnectProps) {
  const { id, kind, url, has_secret } = hook
  return (
    <div class="sections">
      <section class="card section">
        <h2>{HOOK_TEXTS.address}</h2>
        <p class="muted">{HOOK_TEXTS.addressText}</p>
        <AddressTruth address={url} isFor={isInInternet(kind) ? 'internet' : 'program'} />
        <Copyable text={addressFor(kind, url)} label={HOOK_TEXTS.address} />
        {secret && (
          <>
            <p class="muted">
              {HOOK_TEXTS.secretText} {HOOK_TOOLS[kind].secretHint}
            </p>
            <Copyable text={secret} label={HOOK_TEXTS.secret} />
          </>
        )}
        <h3 class="tool-steps-title">{HOOK_TEXTS.steps}</h3>
        <ol class="tool-steps">
          {HOOK_TOOLS[kind].steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <h3 class="tool-steps-title">{HOOK_TEXTS.tryIt}</h3>
        <div class="curl">
          <Copyable text={testCommand(kind, url, secret || (has_secret ? SECRET : ''))} label={HOOK_TEXTS.curl} />
        </div>
      </section>
      <FirstRequest id={id} after={after} />
    </div>
  )
}

function FirstRequest({ id, after }: { id: string; after: number }) {
  const { pathOf } = useHookPaths()
  const load = () => api.get<{ items: HookRequestView[] }>(`${pathOf(id)}/requests`)
  const { value } = useLoaded(load, { on: 'hook.received', id, key: id })
  const first = value?.items.findLast(({ number }) => number > after)
  return (
    <section class="card section">
      <div role="status">
        {first ? <h2 class="section-title">{HOOK_TEXTS.arrived}</h2> : <StillWaiting isFirst={after === 0} />}
      </div>
      {first && <Outcome outcome={first.outcome} />}
      {first && <RequestParts request={first} />}
    </section>
  )
}

function StillWaiting({ isFirst }: { isFirst: boolean }) {
  return (
    <div class="hook-waiting">
      <span class="dot dot-live" />
      <p>
        <strong>{isFirst ? HOOK_TEXTS.waiting : HOOK_TEXTS.waitingAgain}</strong>
        <br />
        <span class="muted">{HOOK_TEXTS.waitingHint}</span>
      </p>
    </div>
  )
}
