// Shares: activities that others share with this account, those it shares, open codes, and joining by a code.
import '../styles/joining.css'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { ShareCodeView, ShareView } from '../../../src/contract/shares.ts'
import { api } from '../api/client.ts'
import { JoinForm } from '../joining/join-form.tsx'
import { OpenCodes } from '../joining/open-codes.tsx'
import { ShareCode, ShareCodeForm } from '../shares/code-form.tsx'
import { JoinSharePage } from '../shares/join.tsx'
import { LeaveShares } from '../shares/leave-shares.tsx'
import { People } from '../shares/people.tsx'
import { groupByWhat, whatIsShared } from '../shares/shared-what.ts'
import { SHARE_LINK } from '../state/join-links.ts'
import { showToast } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { SHARE_TEXTS } from '../texts/shares.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Page, Waiting } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

type Loaded = { given: ShareView[]; received: ShareView[]; codes: ShareCodeView[] }
// What the dialog shows: the code with this id, or the form for a pattern code.
type Open = { codeId: string | undefined }

async function loadShares(): Promise<Loaded> {
  const [{ items }, codes] = await Promise.all([
    api.get<{ items: ShareView[] }>('/shares'),
    api.get<{ items: ShareCodeView[] }>('/shares/codes'),
  ])
  return {
    given: items.filter(({ direction }) => direction === 'given'),
    received: items.filter(({ direction }) => direction === 'received'),
    codes: codes.items,
  }
}

export function SharesPage() {
  const { path } = useLocation()
  return path === SHARE_LINK.path ? <JoinSharePage /> : <AllShares />
}

function AllShares() {
  const { value, error, reload } = useLoaded(loadShares, { on: 'share.' })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  // Undefined as soon as the code is used up or deleted, which closes the dialog.
  const shown = value?.codes.find(({ id }) => id === open?.codeId)
  const show = async ({ id }: ShareCodeView) => {
    await reload()
    setOpen({ codeId: id })
  }
  const create = (
    <Button look="primary" icon="plus" onClick={() => setOpen({ codeId: undefined })}>
      {SHARE_TEXTS.form.sharePattern}
    </Button>
  )
  return (
    <Page title={TEXTS.nav.shares} intro={SHARE_TEXTS.intro} actions={create}>
      <section class="card section">
        <JoinForm link={SHARE_LINK} />
      </section>
      {!value && <Waiting error={error} retry={reload} />}
      {value && (
        <>
          <Received shares={value.received} onChange={reload} />
          <Given shares={value.given} onChange={reload} />
          <section>
            <h2 class="section-title">{JOIN_TEXTS.codes}</h2>
            <div class="card">
              <OpenCodes
                codes={value.codes}
                path="/shares/codes"
                describe={describeCode}
                onShow={({ id }) => setOpen({ codeId: id })}
                onChange={reload}
              />
            </div>
          </section>
        </>
      )}
      {open && !open.codeId && (
        <Dialog title={SHARE_TEXTS.form.patternTitle} onClose={close} isWide>
          <ShareCodeForm onCreated={show} />
        </Dialog>
      )}
      {shown && (
        <Dialog title={SHARE_TEXTS.code.title(whatIsShared(shown))} onClose={close} isWide>
          <ShareCode code={shown} />
        </Dialog>
      )}
    </Page>
  )
}

const describeCode = (code: ShareCodeView): string => `${whatIsShared(code)} · ${SHARE_TEXTS.roles[code.role]}`

type ListProps = { shares: ShareView[]; onChange: () => Promise<void> }

function Received({ shares, onChange }: ListProps) {
  const [leaving, setLeaving] = useState<ShareView>()
  const left = async () => {
    setLeaving(undefined)
    showToast(JOIN_TEXTS.left)
    await onChange()
  }
  return (
    <section>
      <h2 class="section-title">{SHARE_TEXTS.received}</h2>
      <div class="card">
        {shares.length === 0 && <p class="muted">{SHARE_TEXTS.noneReceived}</p>}
        <ul class="person-rows">
          {shares.map((share) => (
            <ReceivedRow key={share.id} share={share} onLeave={() => setLeaving(share)} />
          ))}
        </ul>
      </div>
      {leaving && (
        <LeaveShares
          what={leaving.slug_pattern ?? leaving.slug ?? ''}
          shares={[leaving]}
          onClose={() => setLeaving(undefined)}
          onDone={left}
        />
      )}
    </section>
  )
}

function ReceivedRow({ share, onLeave }: { share: ShareView; onLeave: () => void }) {
  const what = whatIsShared(share)
  return (
    <li class="person-row">
      <span class="person-row-words">
        <strong>{share.activity_id ? <a href={`/app/activities/${share.activity_id}`}>{what}</a> : what}</strong>
        <span class="muted">
          {SHARE_TEXTS.from(share.owner_nickname)} · {SHARE_TEXTS.roles[share.role]} · {JOIN_TEXTS.joined}{' '}
          <Ago at={share.created_at} />
        </span>
      </span>
      <Button size="small" look="danger" icon="out" label={SHARE_TEXTS.leaveLabel(what)} onClick={onLeave}>
        {JOIN_TEXTS.leave}
      </Button>
    </li>
  )
}

function Given({ shares, onChange }: ListProps) {
  return (
    <section>
      <h2 class="section-title">{SHARE_TEXTS.given}</h2>
      {shares.length === 0 && <p class="card muted">{SHARE_TEXTS.noneGiven}</p>}
      <div class="cards">
        {[...groupByWhat(shares)].map(([what, group]) => (
          <section key={what} class="card section">
            <h3>{group[0]?.slug ? <a href={`/app/activities/${group[0].slug}`}>{what}</a> : what}</h3>
            <People shares={group} onChange={onChange} />
          </section>
        ))}
      </div>
    </section>
  )
}
