// The promised limits that openapi.json does not state. Other tests read them from the table, so they would not see a changed
// number. The quotas are in test/domain/quota.test.ts.
import { expect, test } from 'vitest'
import { LIMITS } from '../../src/contract/limits.ts'
import { CAPS } from '../../src/contract/plans.ts'

const MINUTE = 60
const HOUR = 3600

test('an account has so many of each, by its plan', () => {
  expect(CAPS).toMatchObject({
    devices: { free: 3, paid: 10 },
    keys: { free: 25, paid: 25 },
    widgets: { free: 50, paid: 50 },
    activities: { free: 50, paid: 50 },
    email_recipients: { free: 50, paid: 50 },
    members: { free: 10, paid: 10_000 },
    received_shares: { free: 20, paid: 200 },
  })
})

test('requests, sign-ins and open waits are limited', () => {
  expect(LIMITS.rate).toEqual({
    windowSeconds: MINUTE,
    signInsPerMinute: 10,
    demosPerMinute: 3,
    refusedCodesPerMinute: 20,
    strangersRefusedCodesPerMinute: 5,
    signInMailsPerMinute: 5,
    signInClaimsPerMinute: 120,
    refusedDoorTokensPerMinute: 20,
  })
  expect(LIMITS.wait).toEqual({ maxOpen: 4, maxSeconds: 25 })
  expect(LIMITS.page.items).toEqual({ min: 1, default: 50, max: 100 })
  expect(LIMITS.request).toMatchObject({ maxBodyBytes: 1024 * 1024 })
  expect(LIMITS.push.maxPayloadBytes).toBe(4096)
})

test('codes, links and sessions end in time', () => {
  expect(LIMITS.account).toMatchObject({
    signInCodeSeconds: 10 * MINUTE,
    sessionSeconds: 180 * 24 * HOUR,
    maxInvitedPerAddressAndDay: 25,
    maxSignInMailsPerDay: 10,
    maxAccountsPerSignInMail: 5,
  })
  expect(LIMITS.signInRequest).toEqual({ codeChars: 6, seconds: 5 * MINUTE, approvedSeconds: MINUTE })
  expect(LIMITS.passkey).toMatchObject({ maxPerAccount: 20, challengeSeconds: 5 * MINUTE })
  expect(LIMITS.email).toMatchObject({ confirmationSeconds: 48 * HOUR, maxConfirmationsPerDay: 50, keptDays: 90 })
  expect(LIMITS.bark).toMatchObject({ registrationSeconds: 10 * MINUTE, maxAsks: 5 })
  expect(LIMITS.display).toMatchObject({ registrationSeconds: 30 * MINUTE, pairingSeconds: 10 * MINUTE })
})

test('sharing and organizations', () => {
  expect(LIMITS.share).toMatchObject({
    codeChars: 8,
    uses: { min: 1, default: 1, max: 1000 },
    codeSeconds: { min: MINUTE, default: 24 * HOUR, max: 7 * 24 * HOUR },
    maxOpenCodes: 100,
    maxRecipients: 100,
    maxGiven: 1000,
    maxFreeRecipients: 5,
  })
  expect(LIMITS.organization).toMatchObject({
    maxPerPerson: 20,
    maxGroups: 100,
    maxTags: 100,
    maxOpenInvitations: 100,
    maxMuteDays: 30,
    maxAcknowledging: 1000,
    headKeptDays: 90,
  })
  expect(LIMITS.target).toEqual({ maxNames: 20, maxMembers: 100 })
})

test('notifications, receipts, answers, callbacks and schedules', () => {
  expect(LIMITS.acknowledge).toMatchObject({
    repeatSeconds: { min: 30, default: 60, max: 3600 },
    expireSeconds: { min: 60, default: 3600, max: 10_800 },
  })
  expect(LIMITS.receipt).toEqual({ maxOpen: 25, maxRepeats: 50, keptDays: 7 })
  expect(LIMITS.callback).toMatchObject({ maxAttempts: 7, timeoutSeconds: 10 })
  expect(LIMITS.answer.keptDays).toBe(30)
  expect(LIMITS.schedule).toMatchObject({
    maxPending: 25,
    horizonDays: 365,
    endedKeptDays: 7,
    canceledKeptHours: 24,
  })
  expect(LIMITS.notification).toMatchObject({
    maxMetadataKeyChars: 64,
    maxMetadataValueChars: 4096,
    maxMetadataBytes: 8192,
    maxEnvelopeChars: 3072,
  })
})

test('activities and widgets', () => {
  expect(LIMITS.activity).toMatchObject({
    maxOngoing: 5,
    maxOngoingSeconds: 8 * HOUR,
    keptDays: 30,
    maxPriority: 10,
    maxTtlSeconds: 2_592_000,
    maxDismissalSeconds: 4 * HOUR,
    maxTextChars: 256,
    maxCompletionChars: 512,
    maxCompactChars: 4,
    maxIconChars: 128,
    maxUnitChars: 32,
    maxDecimals: 10,
    dateHorizonSeconds: 157_788_000,
    futureSlackSeconds: 5 * MINUTE,
    snoozeSeconds: { min: 60, default: 300, max: 3600 },
    maxThumbhashChars: 64,
    maxSteps: 64,
    maxStepRows: 10,
    maxStepLabelChars: 32,
    maxSeverityLabelChars: 40,
    maxSeries: 10,
    maxSeriesChars: 32,
    maxThresholds: 5,
    maxPoints: 300,
    maxTiles: 4,
    maxTileLabelChars: 32,
    maxTileValueChars: 16,
    maxTileUnitChars: 8,
    maxLines: 20,
    maxLineChars: 512,
    maxBacklogLines: 1000,
    maxBacklogBytes: 300 * 1024,
    maxMediaTitleChars: 128,
    maxMediaSeconds: 604_800,
    maxPositionAgeSeconds: 12 * HOUR,
    maxExtraControls: 3,
    options: { min: 2, max: 4 },
    maxOptionIdChars: 64,
    maxOptionTitleChars: 24,
    maxDetails: 2,
    maxDetailLabelChars: 24,
    maxDetailValueChars: 64,
    maxSourceChars: 24,
  })
  expect(LIMITS.widget).toMatchObject({
    pushThrottleSeconds: { min: 1, default: 15, max: 3600 },
    staleAfterSeconds: { min: 60, max: 604_800 },
  })
})

test('files, phones and screens', () => {
  expect(LIMITS.file).toMatchObject({
    keptHours: 24,
    keptDays: { free: 1, paid: 7 },
    maxPerNotification: 4,
    maxPerAccount: 100,
    largestFilesPerAccount: 10,
  })
  expect(LIMITS.unifiedPush).toMatchObject({
    maxPerDevice: 100,
    maxPerAccount: 300,
    guessesPerMinute: 30,
    perMinute: 60,
    burst: 120,
    perDay: { free: 1000, paid: 5000 },
    unseenDays: 30,
  })
  expect(LIMITS.screen).toMatchObject({
    maxLinks: 50,
    pictureSide: { min: 40, max: 1600 },
    linkRequestsPerMinute: 600,
    newVariantsPerHour: 100,
    refusedTokensPerMinute: 20,
  })
  expect(LIMITS.display).toMatchObject({
    everySeconds: { min: 300, usual: 900, max: 86_400 },
    keptLogLines: 20,
    lowBatteryVolts: 3.3,
  })
  expect(LIMITS.heartbeat).toMatchObject({ maxBodyBytes: 100 * 1024, pingsPerMinute: 60, keptPings: 100 })
  expect(LIMITS.key).toMatchObject({ maxPerAccount: 25, maxSlugs: 100, maxAliases: 5 })
})
