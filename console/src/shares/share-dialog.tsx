// Shares an own activity: creates codes, and lists its open codes and the people who have joined.
import { useState } from 'preact/hooks'
import type { ShareCodeView, ShareView } from '../../../src/contract/share.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { SHARE_TEXTS } from '../texts-shares.ts'
import { Waiting } from '../ui/page.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { OpenCodes } from './open-codes.tsx'
import { People } from './people.tsx'

type ShareDialogProps = { activity: { id: string; slug: string; name: string }; onClose: () => void }

export function ShareDialog({ activity: { id, slug, name }, onClose }: ShareDialogProps) {
  const [shown, setShown] = useState<ShareCodeView>()
  const { value, error, reload } = useLoaded(() => loadSharing(id, slug), { on: 'share.', key: id })
  const show = async (code: ShareCodeView | undefined) => {
    setShown(code)
    await reload()
  }
  return (
    <CodeDialog title={SHARE_TEXTS.dialogTitle(name)} slug={slug} code={shown} onCode={show} onClose={onClose}>
      {!value && <Waiting error={error} retry={reload} />}
      {value && (
        <>
          <section class="share-part">
            <h3>{SHARE_TEXTS.people}</h3>
            <People shares={value.shares} showsPattern onChange={reload} />
          </section>
          <section class="share-part">
            <h3>{SHARE_TEXTS.codes}</h3>
            <OpenCodes codes={value.codes} onShow={setShown} onChange={reload} />
          </section>
        </>
      )}
    </CodeDialog>
  )
}

async function loadSharing(id: string, slug: string): Promise<{ shares: ShareView[]; codes: ShareCodeView[] }> {
  const [shares, codes] = await Promise.all([
    api.get<{ items: ShareView[] }>(`/shares?slug=${slug}`),
    api.get<{ items: ShareCodeView[] }>('/shares/codes'),
  ])
  return { shares: shares.items, codes: codes.items.filter(({ activity_id }) => activity_id === id) }
}
