// The screen links of the account and its displays: made, changed, given a new address and revoked.
import { useState } from 'preact/hooks'
import type { ScreenView, ScreenWithToken } from '../../../src/contract/screens/links.ts'
import { api, unlessMissing } from '../api/client.ts'
import { DeviceFacts, PairAgain } from '../screens/device.tsx'
import { shownInWords } from '../screens/link.ts'
import { LinkChanges } from '../screens/link-changes.tsx'
import { LinkForm } from '../screens/link-form.tsx'
import { MadeLink } from '../screens/made-link.tsx'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { SCREEN_TEXTS } from '../texts/wall.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import { CardList, Page } from '../ui/page.tsx'
import { Ago, Moment } from '../ui/time.tsx'

type Open = 'form' | ScreenWithToken

export function ScreensPage() {
  const list = useLoaded(() => api.get<{ items: ScreenView[] }>('/screens'))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const showMade = (link: ScreenWithToken) => {
    setOpen(link)
    void list.reload()
  }
  const create = (
    <Button look="primary" icon="plus" onClick={() => setOpen('form')}>
      {SCREEN_TEXTS.create}
    </Button>
  )
  return (
    <Page title={TEXTS.nav.screens} intro={SCREEN_TEXTS.intro} actions={create}>
      <CardList loaded={list} items={list.value?.items} icon="computer" words={SCREEN_TEXTS}>
        {(link) => <LinkCard key={link.id} link={link} onRolled={showMade} onChange={list.reload} />}
      </CardList>
      {open === 'form' && <LinkForm title={SCREEN_TEXTS.createTitle} onMade={showMade} onClose={close} />}
      {open && open !== 'form' && <MadeLink link={open} onClose={close} />}
    </Page>
  )
}

type CardProps = { link: ScreenView; onRolled: (link: ScreenWithToken) => void; onChange: () => Promise<void> }

function LinkCard({ link, onRolled, onChange }: CardProps) {
  const { id, name, last_used_at, created_at, expires_at } = link
  const [isChanging, setChanging] = useState(false)
  const saved = () => {
    setChanging(false)
    void onChange()
  }
  const roll = async () => onRolled(await api.post<ScreenWithToken>(`/screens/${id}/roll`))
  const revoke = async () => {
    await unlessMissing(api.delete(`/screens/${id}`))
    await onChange()
  }
  return (
    <li class="card">
      <div class="card-head">
        <h2 dir="auto">{name}</h2>
      </div>
      <p dir="auto">{shownInWords(link)}</p>
      <p class="muted card-facts">
        {last_used_at ? (
          <>
            {SCREEN_TEXTS.lastUsed} <Ago at={last_used_at} />
          </>
        ) : (
          SCREEN_TEXTS.neverUsed
        )}
        {' · '}
        {SCREEN_TEXTS.madeAt} <Ago at={created_at} />
        {expires_at && (
          <>
            {' · '}
            {SCREEN_TEXTS.expires} <Moment at={expires_at} />
          </>
        )}
      </p>
      <DeviceFacts link={link} />
      <div class="card-actions">
        {link.pairing_asked_at && <PairAgain link={link} onChange={onChange} />}
        <Button size="small" icon="edit" onClick={() => setChanging(true)}>
          {SCREEN_TEXTS.change}
        </Button>
        <ConfirmButton
          size="small"
          icon="roll"
          text={SCREEN_TEXTS.roll}
          title={SCREEN_TEXTS.rollTitle(name)}
          work={roll}
        >
          {SCREEN_TEXTS.rollText}
        </ConfirmButton>
        <ConfirmButton
          size="small"
          look="danger"
          icon="trash"
          text={SCREEN_TEXTS.revoke}
          title={SCREEN_TEXTS.revokeTitle(name)}
          work={revoke}
        >
          {SCREEN_TEXTS.revokeText}
        </ConfirmButton>
      </div>
      {isChanging && <LinkChanges link={link} onSaved={saved} onClose={() => setChanging(false)} />}
    </li>
  )
}
