// The webhooks of the account.
import type { HookView } from '../../../src/contract/hooks.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { HOOK_TEXTS } from '../texts/hooks.ts'
import { ButtonLink } from '../ui/button.tsx'
import { CardList, Page } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'
import { useHookPaths } from './paths.ts'
import { toolName } from './tools.ts'

export function HookList() {
  return (
    <Page title={TEXTS.nav.webhooks} intro={HOOK_TEXTS.intro} actions={<NewHookLink />}>
      <Hooks />
    </Page>
  )
}

export function NewHookLink() {
  const { newPage } = useHookPaths()
  return (
    <ButtonLink look="primary" icon="plus" href={newPage}>
      {HOOK_TEXTS.create}
    </ButtonLink>
  )
}

export function Hooks() {
  const { collection } = useHookPaths()
  const load = () => api.get<{ items: HookView[] }>(collection)
  const list = useLoaded(load, { on: 'hook.', key: collection })
  return (
    <CardList loaded={list} items={list.value?.items} icon="hook" words={HOOK_TEXTS}>
      {(hook) => <HookCard key={hook.id} hook={hook} />}
    </CardList>
  )
}

function HookCard({ hook: { id, name, kind, has_secret, created_at, last_received_at } }: { hook: HookView }) {
  const { pageOf } = useHookPaths()
  return (
    <li class="card hook-card">
      <div class="card-head">
        <h2>
          <a href={pageOf(id)}>{name}</a>
        </h2>
        <span class="tag tag-plain">{toolName(kind)}</span>
        <HookState isReceiving={last_received_at !== undefined} />
        {has_secret && <span class="tag tag-plain">{HOOK_TEXTS.signed}</span>}
      </div>
      <p class="muted card-facts">
        {last_received_at && (
          <>
            {HOOK_TEXTS.lastRequest} <Ago at={last_received_at} />
            {' · '}
          </>
        )}
        {HOOK_TEXTS.made} <Ago at={created_at} />
      </p>
    </li>
  )
}

export function HookState({ isReceiving }: { isReceiving: boolean }) {
  return isReceiving ? (
    <span class="tag tag-verified">{HOOK_TEXTS.states.receiving}</span>
  ) : (
    <span class="tag tag-pending">{HOOK_TEXTS.states.waiting}</span>
  )
}
