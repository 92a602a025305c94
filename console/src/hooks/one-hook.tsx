// The page of one webhook: its settings in words, its address, and its last requests.
import { useState } from 'preact/hooks'
import type { HookRequestView, HookView, HookWithUrl } from '../../../src/contract/hooks.ts'
import type { KeyView } from '../../../src/contract/keys/keys.ts'
import { api, unlessMissing } from '../api/client.ts'
import { DeleteButton } from '../cards/card-detail.tsx'
import { loadKeys } from '../keys/load.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { HOOK_TEXTS } from '../texts/hooks.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import { Facts, Missing, Page, Waiting } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'
import { Connect } from './connect.tsx'
import { HookState } from './hook-list.tsx'
import { optionsInWords } from './options.ts'
import { type HookPaths, useHookPaths } from './paths.ts'
import { RequestList } from './request-list.tsx'
import { SettingsForm } from './settings-form.tsx'
import { TemplateEditor } from './template/editor.tsx'

type Loaded = { hook: HookView; requests: HookRequestView[]; keys: KeyView[] }

async function loadHook({ pathOf, keys: keysPath }: HookPaths, id: string): Promise<Loaded | 'missing'> {
  const hook = await unlessMissing(api.get<HookView>(pathOf(id)))
  if (!hook) return 'missing'
  const [{ items }, keys] = await Promise.all([
    api.get<{ items: HookRequestView[] }>(`${pathOf(id)}/requests`),
    loadKeys(keysPath),
  ])
  return { hook, requests: items, keys }
}

export function OneHook({ id, isTemplate }: { id: string; isTemplate: boolean }) {
  const paths = useHookPaths()
  const { value, error, reload } = useLoaded(() => loadHook(paths, id), { on: 'hook.', id, key: id })
  if (!value) return <Waiting error={error} retry={reload} />
  if (value === 'missing') return <Missing icon="hook" words={HOOK_TEXTS} home={paths.home} />
  return isTemplate ? <TemplateEditor {...value} /> : <HookPage {...value} />
}

type Rolled = { hook: HookWithUrl; after: number }

function HookPage({ hook, requests, keys }: Loaded) {
  const { id, name, last_received_at } = hook
  const { home, pathOf, templatePageOf } = useHookPaths()
  const [rolled, setRolled] = useState<Rolled>()
  const roll = async () => {
    const after = requests[0]?.number ?? 0
    setRolled({ hook: await api.post<HookWithUrl>(`${pathOf(id)}/roll`), after })
  }
  const actions = (
    <>
      <ButtonLink icon="edit" href={templatePageOf(id)}>
        {HOOK_TEXTS.template.edit}
      </ButtonLink>
      <ConfirmButton icon="roll" text={HOOK_TEXTS.roll} title={HOOK_TEXTS.rollTitle(name)} work={roll}>
        {HOOK_TEXTS.rollText}
      </ConfirmButton>
      <DeleteButton path={pathOf(id)} name={name} words={HOOK_TEXTS} home={home} />
    </>
  )
  return (
    <Page title={name} actions={actions}>
      <p class="muted detail-facts">
        <a href={home}>{HOOK_TEXTS.toList}</a> · <HookState isReceiving={last_received_at !== undefined} />
        {last_received_at && (
          <>
            {' '}
            {HOOK_TEXTS.lastRequest} <Ago at={last_received_at} />
          </>
        )}
      </p>
      {rolled && <Connect key={rolled.hook.url} {...rolled} secret="" />}
      <Settings hook={hook} keys={keys} />
      <RequestList hookId={id} requests={requests} />
    </Page>
  )
}

function Settings({ hook, keys }: { hook: HookView; keys: KeyView[] }) {
  const [isEdited, setEdited] = useState(false)
  return (
    <section class="card section">
      <div class="hook-section-head">
        <h2>{HOOK_TEXTS.settings}</h2>
        <Button size="small" icon="edit" onClick={() => setEdited(true)}>
          {TEXTS.edit}
        </Button>
      </div>
      <Facts rows={optionsInWords(hook, keys)} />
      {isEdited && <SettingsForm hook={hook} keys={keys} onClose={() => setEdited(false)} />}
    </section>
  )
}
