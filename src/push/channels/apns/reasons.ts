// The policy for each error answer of APNs, as data. Apple: "Handling notification responses from APNs".

export type Policy =
  | { effect: 'delete_token' }
  // Permanent, and logged: the settings, or our own code, must be corrected.
  | { effect: 'reject'; blame: 'settings' | 'heliograph' }
  // One more attempt over another connection, or with another provider token.
  | { effect: 'reconnect'; otherwise: 'break' | 'wait' }
  | { effect: 'renew_token' }
  // No push works until the settings change: open the circuit breaker.
  | { effect: 'break' }
  | { effect: 'wait'; seconds: number; also?: 'reconnect' | 'keep_former_token' }

const SETTINGS: Policy = { effect: 'reject', blame: 'settings' }
const OUR_BUG: Policy = { effect: 'reject', blame: 'heliograph' }
const GONE: Policy = { effect: 'delete_token' }
const BREAK: Policy = { effect: 'break' }
const DEVICE_PAUSE: Policy = { effect: 'wait', seconds: 60 }
// Apple: a 5xx may be retried after 15 minutes.
const SERVER_PAUSE_SECONDS = 15 * 60
const SERVER_PAUSE: Policy = { effect: 'wait', seconds: SERVER_PAUSE_SECONDS }

export const POLICIES: Readonly<Record<string, Policy>> = {
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

export function policyFor(status: number, reason: string): Policy {
  return POLICIES[`${status} ${reason}`] ?? policyForStatus(status)
}

// For a reason that this version does not know, or an answer of a proxy.
function policyForStatus(status: number): Policy {
  if (status === 403) return SETTINGS
  if (status === 410) return GONE
  if (status === 429) return DEVICE_PAUSE
  return status >= 500 ? SERVER_PAUSE : OUR_BUG
}
