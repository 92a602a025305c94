// What each refusal of APNs means for us, as data. Apple: "Handling notification responses from APNs".

export type Ruling =
  | { effect: 'forget_device' }
  // The push will never work, and someone should look: at the settings, or at our own code.
  | { effect: 'reject'; blame: 'settings' | 'heliograph' }
  // One more try over another connection, or with another provider token.
  | { effect: 'reconnect'; otherwise: 'break' | 'wait' }
  | { effect: 'renew_token' }
  // No push can work until the settings change: stop sending for a while.
  | { effect: 'break' }
  | { effect: 'wait'; seconds: number; also?: 'reconnect' | 'keep_former_token' }

const SETTINGS: Ruling = { effect: 'reject', blame: 'settings' }
const OUR_BUG: Ruling = { effect: 'reject', blame: 'heliograph' }
const GONE: Ruling = { effect: 'forget_device' }
const BREAK: Ruling = { effect: 'break' }
const DEVICE_PAUSE: Ruling = { effect: 'wait', seconds: 60 }
// Apple: a 5xx may be retried after 15 minutes.
const SERVER_PAUSE_SECONDS = 15 * 60
const SERVER_PAUSE: Ruling = { effect: 'wait', seconds: SERVER_PAUSE_SECONDS }

export const RULINGS: Readonly<Record<string, Ruling>> = {
  '400 BadDeviceToken': GONE,
  '400 DeviceTokenNotForTopic': SETTINGS,
  '400 BadTopic': SETTINGS,
  '400 MissingTopic': SETTINGS,
  '400 TopicDisallowed': SETTINGS,
  '400 BadCollapseId': OUR_BUG,
  '400 BadExpirationDate': OUR_BUG,
  '400 BadMessageId': OUR_BUG,
  '400 BadPriority': OUR_BUG,
  '400 DuplicateHeaders': OUR_BUG,
  '400 InvalidPushType': OUR_BUG,
  '400 MissingDeviceToken': OUR_BUG,
  '400 PayloadEmpty': OUR_BUG,
  '400 IdleTimeout': { effect: 'reconnect', otherwise: 'wait' },
  '403 ExpiredProviderToken': { effect: 'renew_token' },
  '403 InvalidProviderToken': BREAK,
  '403 MissingProviderToken': BREAK,
  '403 BadCertificate': BREAK,
  '403 BadCertificateEnvironment': BREAK,
  '403 BadEnvironmentKeyIdInToken': BREAK,
  '403 Forbidden': BREAK,
  '403 UnrelatedKeyIdInToken': { effect: 'reconnect', otherwise: 'break' },
  '404 BadPath': OUR_BUG,
  '405 MethodNotAllowed': OUR_BUG,
  '410 Unregistered': GONE,
  '410 ExpiredToken': GONE,
  '413 PayloadTooLarge': OUR_BUG,
  '429 TooManyRequests': DEVICE_PAUSE,
  '429 TooManyProviderTokenUpdates': { effect: 'wait', seconds: 20 * 60, also: 'keep_former_token' },
  '500 InternalServerError': SERVER_PAUSE,
  '503 ServiceUnavailable': SERVER_PAUSE,
  '503 Shutdown': { effect: 'wait', seconds: SERVER_PAUSE_SECONDS, also: 'reconnect' },
}

export function rulingFor(status: number, reason: string): Ruling {
  return RULINGS[`${status} ${reason}`] ?? rulingForStatus(status)
}

// For a reason Apple adds after us, or an answer of something in between that is not APNs.
function rulingForStatus(status: number): Ruling {
  if (status === 403) return SETTINGS
  if (status === 410) return GONE
  if (status === 429) return DEVICE_PAUSE
  return status >= 500 ? SERVER_PAUSE : OUR_BUG
}
