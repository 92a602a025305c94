// A one-time sign-in link as a QR code. The page says first what a phone cannot do with the address; then it shows the code
// with its remaining time, and who has signed in with it.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListedSession, NewSignInLink } from '../../../src/contract/accounts/session.ts'
import type { DeviceView } from '../../../src/contract/devices.ts'
import { clockDuration } from '../../../src/domain/screens/duration.ts'
import { api, messageOf } from '../api/client.ts'
import { browserInWords } from '../state/this-browser.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { PHONE_TEXTS } from '../texts/phones.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Waiting } from '../ui/page.tsx'
import { now } from '../ui/time.tsx'
import { AddressTruth, HttpsFixes } from './address-truth.tsx'
import { reachabilityOf } from './reachability.ts'
import { PhoneStatus } from './status.tsx'

const QrCode = lazy(async () => (await import('../ui/qr-code.tsx')).QrCode)

export function SignInCode() {
  const [round, setRound] = useState(1)
  const [isShownAnyway, setShownAnyway] = useState(false)
  const showAnyway = isShownAnyway ? undefined : () => setShownAnyway(true)
  return <OneCode key={round} showAnyway={showAnyway} onRenew={() => setRound(round + 1)} />
}

// `showAnyway`: called if the person wants the code although a phone cannot use it; undefined once they have said so.
type OneCodeProps = { showAnyway: (() => void) | undefined; onRenew: () => void }

function OneCode({ showAnyway, onRenew }: OneCodeProps) {
  const { link, error, retry } = useNewLink()
  const arrivals = useArrivals()
  if (!link || !arrivals) return <Waiting error={error} retry={retry} />
  if (showAnyway && reachabilityOf(link.url) !== 'https') {
    return (
      <section class="card phone-part">
        <AddressTruth address={link.url} isFor="browser" />
        <HttpsFixes />
        <div>
          <Button onClick={showAnyway}>{PHONE_TEXTS.showAnyway}</Button>
        </div>
      </section>
    )
  }
  return (
    <>
      <section class="card phone-part">
        {arrivals.session ? (
          <p>{PHONE_TEXTS.codeUsed}</p>
        ) : (
          <Code url={link.url} leftSeconds={link.leftSeconds(now.value)} />
        )}
        <div>
          <Button icon="roll" onClick={onRenew}>
            {PHONE_TEXTS.newCode}
          </Button>
        </div>
      </section>
      <SignedIn {...arrivals} />
    </>
  )
}

function Code({ url, leftSeconds }: { url: string; leftSeconds: number }) {
  if (leftSeconds <= 0) return <p>{PHONE_TEXTS.codeExpired}</p>
  return (
    <div class="phone-access">
      <div class="phone-code">
        <QrCode text={url} label={PHONE_TEXTS.signInQr} />
        <p class="muted">
          {PHONE_TEXTS.codeTime} <span role="timer">{clockDuration(leftSeconds)}</span>
        </p>
      </div>
      <div class="phone-part">
        <p>{PHONE_TEXTS.codeText}</p>
        <Copyable text={url} label={PHONE_TEXTS.signInLink} />
      </div>
    </div>
  )
}

type Arrivals = { session: ListedSession | undefined; device: DeviceView | undefined }

function SignedIn({ session, device }: Arrivals) {
  if (device) {
    return <PhoneStatus isOn title={PHONE_TEXTS.connected(device.name)} text={PHONE_TEXTS.connectedText} />
  }
  if (session) {
    const name = session.name ? browserInWords(session.name) : PHONE_TEXTS.someBrowser
    return <PhoneStatus isSignedIn title={PHONE_TEXTS.signedIn(name)} text={PHONE_TEXTS.signedInText} />
  }
  return <PhoneStatus title={PHONE_TEXTS.waiting} text={PHONE_TEXTS.waitingSignIn} />
}

// How long the server accepts a link.
const LINK_SECONDS = 600

type ShownLink = { url: string; leftSeconds: (nowMs: number) => number }

// The time is counted from the response, not until `expires_at`: the clock of this browser may differ from the server's.
function useNewLink() {
  const [link, setLink] = useState<ShownLink>()
  const [error, setError] = useState<string>()
  const request = async () => {
    setError(undefined)
    try {
      const { url } = await api.post<NewSignInLink>('/auth/links')
      const receivedMs = Date.now()
      const leftSeconds = (nowMs: number) => LINK_SECONDS - Math.max(0, Math.floor((nowMs - receivedMs) / 1000))
      setLink({ url: toDevices(url), leftSeconds })
    } catch (cause) {
      setError(messageOf(cause))
    }
  }
  useEffect(() => void request(), [])
  return { link, error, retry: request }
}

// Leads to the page with the button “Add this browser”.
const toDevices = (url: string): string => url.replace('/app/#', '/app/devices#')

// The session and the receiving device that are new since this component was first loaded.
function useArrivals(): Arrivals | undefined {
  const { value } = useLoaded(loadPresent, { on: ['session.', 'device.'] })
  const before = useRef<Set<string>>(undefined)
  if (!value) return undefined
  before.current ??= new Set([...value.sessions, ...value.devices].map(({ id }) => id))
  const isNew = ({ id }: { id: string }) => !before.current?.has(id)
  return {
    session: value.sessions.find((session) => session.kind === 'console' && isNew(session)),
    device: value.devices.find((device) => device.channel !== 'stream' && isNew(device)),
  }
}

async function loadPresent(): Promise<{ sessions: ListedSession[]; devices: DeviceView[] }> {
  const [sessions, devices] = await Promise.all([
    api.get<{ items: ListedSession[] }>('/auth/sessions'),
    api.get<{ items: DeviceView[] }>('/devices'),
  ])
  return { sessions: sessions.items, devices: devices.items }
}
