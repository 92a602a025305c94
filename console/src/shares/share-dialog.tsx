// Shares an own activity: creates codes, and lists its open codes and the people who have joined.
import { useState } from 'preact/hooks'
import type { ShareCodeView, ShareView } from '../../../src/contract/shares.ts'
import { api } from '../api/client.ts'
import { OpenCodes } from '../joining/open-codes.tsx'
import { useLoaded } from '../state/use-loaded.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { SHARE_TEXTS } from '../texts/shares.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Waiting } from '../ui/page.tsx'
import { ShareCode, ShareCodeForm } from './code-form.tsx'
import { People } from './people.tsx'

type ShareDialogProps = { activity: { id: string; slug: string; name: string }; onClose: () => void }

export function ShareDialog({ activity: { id, slug, name }, onClose }: ShareDialogProps) {
  const { value, error, reload } = useLoaded(() => loadSharing(id, slug), { on: 'share.', key: id })
  const [shownId, setShownId] = useState<string>()
  // Undefined as soon as the code is used up or deleted.
  const shown = value?.codes.find((code) => code.id === shownId)
  const show = async (code: ShareCodeView) => {
    await reload()
    setShownId(code.id)
  }
  return (
    <Dialog title={SHARE_TEXTS.dialogTitle(name)} onClose={onClose} isWide>
      {shown ? (
        <>
          <ShareCode code={shown} />
          <footer class="dialog-foot">
            <Button icon="plus" onClick={() => setShownId(undefined)}>
              {SHARE_TEXTS.form.another}
            </Button>
          </footer>
        </>
      ) : (
        <ShareCodeForm slug={slug} onCreated={show} />
      )}
      {!value && <Waiting error={error} retry={reload} />}
      {value && (
        <>
          <section class="code-part">
            <h3>{SHARE_TEXTS.people}</h3>
            <People shares={value.shares} showsPattern onChange={reload} />
          </section>
          <section class="code-part">
            <h3>{JOIN_TEXTS.codes}</h3>
            <OpenCodes
              codes={value.codes}
              path="/shares/codes"
              describe={({ role }) => SHARE_TEXTS.roles[role]}
              onShow={({ id: codeId }) => setShownId(codeId)}
              onChange={reload}
            />
          </section>
        </>
      )}
    </Dialog>
  )
}

async function loadSharing(id: string, slug: string): Promise<{ shares: ShareView[]; codes: ShareCodeView[] }> {
  const [shares, codes] = await Promise.all([
    api.get<{ items: ShareView[] }>(`/shares?slug=${slug}`),
    api.get<{ items: ShareCodeView[] }>('/shares/codes'),
  ])
  return { shares: shares.items, codes: codes.items.filter(({ activity_id }) => activity_id === id) }
}
