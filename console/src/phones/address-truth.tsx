// Says what is wrong with an address before a person types it into a phone.
import { PHONE_TEXTS } from '../texts/phones.ts'
import { Copyable } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import { reachabilityOf } from './reachability.ts'

// `isForBrowser`: the console is opened there, which gets pushes over HTTPS only.
export function AddressTruth({ address, isForBrowser }: { address: string; isForBrowser?: boolean }) {
  const reachability = reachabilityOf(address)
  if (reachability === 'https') return null
  const plain = isForBrowser ? PHONE_TEXTS.needsHttps : PHONE_TEXTS.plainHttp
  return (
    <p class="note note-bad">
      <Icon name="alert" size={18} />
      <span>{reachability === 'loopback' ? PHONE_TEXTS.loopback(new URL(address).origin) : plain}</span>
    </p>
  )
}

// The ways to an address that phones can use, with one command each.
export function HttpsFixes() {
  const port = location.port || DEFAULT_PORT
  return (
    <>
      <p>{PHONE_TEXTS.fixes}</p>
      <dl class="phone-fixes">
        {PHONE_TEXTS.httpsCommands(port).map(({ name, command }) => (
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

const DEFAULT_PORT = '8080'
