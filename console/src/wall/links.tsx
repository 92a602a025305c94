// The links that show the wall without a session: made, listed and revoked.
import { useState } from 'preact/hooks'
import type { WallLinkView } from '../../../src/contract/widgets.ts'
import { api, unlessMissing } from '../api/client.ts'
import { AddressTruth } from '../phones/address-truth.tsx'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { WALL_TEXTS } from '../texts/wall.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Waiting } from '../ui/page.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { Ago } from '../ui/time.tsx'

type MadeLink = WallLinkView & { url: string }

export function WallLinks() {
  const { value, error, reload } = useLoaded(() => api.get<{ items: WallLinkView[] }>('/wall/links'))
  const [name, setName] = useState('')
  const [made, setMade] = useState<MadeLink>()
  const make = () =>
    attempt(async () => {
      setMade(await api.post<MadeLink>('/wall/links', { name: name.trim() }))
      setName('')
      await reload()
    })
  const revoke = async ({ id }: WallLinkView) => {
    await unlessMissing(api.delete(`/wall/links/${id}`))
    if (made?.id === id) setMade(undefined)
    await reload()
  }
  return (
    <section class="card section">
      <h2>{WALL_TEXTS.links}</h2>
      <p class="muted">{WALL_TEXTS.linksHint}</p>
      <Form class="inline-form" onSubmit={make}>
        <TextField
          label={WALL_TEXTS.linkName}
          placeholder={WALL_TEXTS.linkPlaceholder}
          value={name}
          onInput={setName}
          maxLength={64}
          required
        />
        <Button type="submit" disabled={name.trim() === ''}>
          {WALL_TEXTS.makeLink}
        </Button>
      </Form>
      {made && <NewLink link={made} onDone={() => setMade(undefined)} />}
      {!value && <Waiting error={error} retry={reload} rows={1} />}
      {value?.items.length === 0 && <p class="muted">{WALL_TEXTS.noLinks}</p>}
      <ul class="wall-links">
        {value?.items.map((link) => (
          <li key={link.id} class="wall-row">
            <strong dir="auto">{nameOf(link)}</strong>
            <span class="muted">
              {WALL_TEXTS.madeAt} <Ago at={link.created_at} />
            </span>
            <ConfirmButton
              size="small"
              look="danger"
              text={WALL_TEXTS.revoke}
              title={WALL_TEXTS.revokeTitle(nameOf(link))}
              work={() => revoke(link)}
            >
              {WALL_TEXTS.revokeText}
            </ConfirmButton>
          </li>
        ))}
      </ul>
    </section>
  )
}

const nameOf = ({ name }: WallLinkView): string => name ?? WALL_TEXTS.unnamed

function NewLink({ link, onDone }: { link: MadeLink; onDone: () => void }) {
  return (
    <div class="note wall-new-link" role="status">
      <p>{WALL_TEXTS.made(nameOf(link))}</p>
      <AddressTruth address={link.url} isFor="person" />
      <Copyable text={link.url} label={WALL_TEXTS.links} />
      <QrCode text={link.url} label={WALL_TEXTS.links} />
      <Button size="small" onClick={onDone}>
        {WALL_TEXTS.done}
      </Button>
    </div>
  )
}
