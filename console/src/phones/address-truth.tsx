// Says what is wrong with an address before a person gives it to another device, a program or another person.
import './phones.css'
import type { SignInWays } from '../../../src/contract/accounts/ways-in.ts'
import type { ServerAddresses } from '../../../src/contract/doctor.ts'
import { api } from '../api/client.ts'
import { session } from '../state/session.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { PHONE_TEXTS } from '../texts/phones.ts'
import { Copyable } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { reachabilityOf } from './reachability.ts'

// `app`: it takes a password. `browser`: the console is opened there, which gets pushes over HTTPS only. `internet`: a program
// outside of the own network.
type Use = 'app' | 'browser' | 'program' | 'person' | 'internet'

export function AddressTruth({ address, isFor = 'app' }: { address: string; isFor?: Use }) {
  const words = wordsFor(address, isFor)
  if (!words) return null
  return (
    <div class="address-truth">
      <p class="note note-bad">
        <Icon name="alert" size={18} />
        <span>{words}</span>
      </p>
      {reachabilityOf(address) === 'loopback' && <OtherAddresses />}
    </div>
  )
}

function wordsFor(address: string, isFor: Use): string | undefined {
  const { origin } = new URL(address)
  const reachability = reachabilityOf(address)
  if (reachability === 'https') return undefined
  if (reachability === 'loopback') return PHONE_TEXTS.loopback[isFor](origin)
  return PHONE_TEXTS.plainHttp[isFor]
}

// The addresses of the machine, and how to start the server so that it is reached there. Only its operators see them.
function OtherAddresses() {
  const current = session.value
  if (current.state !== 'signed-in' || !current.account.operator) return <p class="muted">{PHONE_TEXTS.askOperator}</p>
  return <Addresses />
}

function Addresses() {
  const { value } = useLoaded(() => api.get<ServerAddresses>('/system/addresses'))
  if (!value) return null
  const { addresses, listens_elsewhere, started_as } = value
  const path = location.pathname + location.search
  return (
    <>
      {!listens_elsewhere && (
        <>
          <p>{PHONE_TEXTS.startWith[started_as]}</p>
          <Copyable text={STARTS[started_as]} label={PHONE_TEXTS.startLabel} />
        </>
      )}
      <p>{addresses.length > 0 ? PHONE_TEXTS.openAt(listens_elsewhere) : PHONE_TEXTS.openAtHost}</p>
      {addresses.map((address) => (
        <Copyable key={address} text={address + path} label={address} />
      ))}
    </>
  )
}

const DEFAULT_PORT = '8080'
const port = (): string => location.port || DEFAULT_PORT

const STARTS: Record<ServerAddresses['started_as'], string> = {
  command: 'heliograph serve --host 0.0.0.0',
  checkout: 'npm start -- --host 0.0.0.0',
  container: `docker run --publish ${port()}:8080 …`,
  systemd: 'HELIOGRAPH_HOST=0.0.0.0',
}

const HTTPS_SETTINGS = 'HELIOGRAPH_PUBLIC_URL=https://push.example.org HELIOGRAPH_TRUST_PROXY=127.0.0.1'

// The proxy reaches a container through a network of the container's host.
const HTTPS_STARTS: typeof STARTS = {
  command: `${HTTPS_SETTINGS} heliograph serve`,
  checkout: `${HTTPS_SETTINGS} npm start`,
  container:
    'docker run --env HELIOGRAPH_PUBLIC_URL=https://push.example.org --env HELIOGRAPH_TRUST_PROXY=172.16.0.0/12 …',
  systemd: HTTPS_SETTINGS.replace(' ', '\n'),
}

// The ways to an address that phones can use, with one command each.
export function HttpsFixes() {
  const ways = useLoaded(() => api.get<SignInWays>('/auth/ways')).value
  const start = ways && { name: PHONE_TEXTS.httpsStart, command: HTTPS_STARTS[ways.started_as] }
  return (
    <>
      <p>{PHONE_TEXTS.fixes}</p>
      <dl class="phone-fixes">
        {[...PHONE_TEXTS.httpsCommands(port()), ...(start ? [start] : [])].map(({ name, command }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Copyable text={command} label={name} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
