// Says what is wrong with an address before a person types it into a phone.
import { PHONE_TEXTS } from '../texts-phones.ts'
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
