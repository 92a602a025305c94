// The channels to devices and people: APNs, Web Push and e-mail, as the providers answer.
import type { PushResult } from '../../domain/push.ts'
import { type Check, type Found, failure, ok, warning } from './finding.ts'

type ApnsProbe = (environment: 'production' | 'sandbox') => Promise<PushResult>
// Resolves if the mail server has taken our login; rejects with its answer.
type MailProbe = () => Promise<void>

// Each returns undefined if the channel is not configured, and throws if it is configured by half.
export type ChannelProbes = {
  apns(): ApnsProbe | undefined
  bark(): ApnsProbe | undefined
  mail(): MailProbe | undefined
}

export function channelChecks(probes: ChannelProbes, contact: string | undefined): Check[] {
  return [
    { name: 'APNs', look: async () => checkApns(probes.apns()) },
    { name: 'Bark', look: async () => checkBark(probes.bark()) },
    { name: 'Web Push', look: async () => checkContact(contact) },
    { name: 'e-mail', look: async () => checkMail(probes.mail()) },
  ]
}

// A push to a device that does not exist: APNs looks at our token first, so it answers BadDeviceToken if all is well.
async function checkApns(probe: ApnsProbe | undefined): Promise<Found> {
  if (!probe) return ok('not configured; Apple devices get no pushes')
  const production = await probe('production')
  if (!isTaken(production)) return failure(`APNs answers: ${reasonOf(production)}`, apnsFix(reasonOf(production)))
  // One after the other: reading the certificate authorities for a connection holds up other requests.
  const sandbox = await probe('sandbox')
  if (isTaken(sandbox)) return ok('APNs takes our key, in production and in the sandbox')
  return warning(
    `APNs takes our key in production; the sandbox answers: ${reasonOf(sandbox)}`,
    'nothing, unless you use development builds of the app: then make a key for both environments',
  )
}

// The key belongs to the author of the app, who may withdraw it.
async function checkBark(probe: ApnsProbe | undefined): Promise<Found> {
  if (!probe) return ok('no key for the Bark app; its phones are reached through a bark-server only')
  const production = await probe('production')
  if (isTaken(production)) return ok('APNs takes the key for the Bark app')
  return failure(
    `APNs answers for the Bark app: ${reasonOf(production)}`,
    'compare HELIOGRAPH_BARK_KEY_FILE, _KEY_ID and _TEAM_ID with what the author of Bark publishes, or add phones through a bark-server',
  )
}

const isTaken = (pushed: PushResult) => pushed.result === 'device_gone' || pushed.result === 'accepted'
const reasonOf = (pushed: PushResult) => ('reason' in pushed ? pushed.reason : pushed.result)

const CREDENTIALS =
  'compare HELIOGRAPH_APNS_KEY_ID, _TEAM_ID and the .p8 file with the key in the Apple developer account, and this machine’s clock with the time'
const TOPIC = 'HELIOGRAPH_APNS_TOPIC must be the bundle id of the app, and the key must belong to its team'

const APNS_FIXES: Record<string, string> = {
  InvalidProviderToken: CREDENTIALS,
  ExpiredProviderToken: CREDENTIALS,
  Forbidden: CREDENTIALS,
  BadEnvironmentKeyIdInToken: 'the key is for one environment only: make one for the production environment',
  BadTopic: TOPIC,
  TopicDisallowed: TOPIC,
  DeviceTokenNotForTopic: TOPIC,
  TooManyProviderTokenUpdates: 'wait 20 minutes, then check again',
}

const apnsFix = (reason: string) =>
  APNS_FIXES[reason] ?? 'look whether this machine may connect to HELIOGRAPH_APNS_URL, port 443'

// Push services want to know whom to tell about problems; Apple refuses pushes whose contact is not a public one.
function checkContact(contact: string | undefined): Found {
  if (contact?.startsWith('https://')) return ok(`the contact for push services is ${contact}`)
  return warning(
    'push services have no contact for this server; Safari may refuse its pushes',
    'set HELIOGRAPH_PUBLIC_URL to an https:// address',
  )
}

async function checkMail(probe: MailProbe | undefined): Promise<Found> {
  if (!probe) return ok('not configured; no e-mail is sent')
  try {
    await probe()
    return ok('the mail server takes our login')
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    return failure(
      `the mail server cannot be used: ${reason}`,
      'correct HELIOGRAPH_SMTP_URL: host, port, name, password',
    )
  }
}
