// The numbers of the contract, in one table that code, tests and openapi.json share.

export const LIMITS = {
  request: {
    maxBodyBytes: 1024 * 1024,
    maxJsonDepth: 32,
    // Twice the values of the largest valid request, a timeline with 10 series of 300 points.
    maxJsonValues: 20_000,
  },
  rate: {
    windowSeconds: 60,
    signInsPerMinute: 10,
    demosPerMinute: 3,
    refusedCodesPerMinute: 20,
    // Without an account.
    strangersRefusedCodesPerMinute: 5,
    signInMailsPerMinute: 5,
    // A browser that waits to be approved asks every three seconds.
    signInClaimsPerMinute: 120,
    refusedDoorTokensPerMinute: 20,
  },
  page: {
    items: { min: 1, default: 50, max: 100 },
  },
  slug: {
    maxChars: 128,
  },
  path: {
    maxIdChars: 64,
  },
  name: {
    maxChars: 256,
  },
  url: {
    maxChars: 2048,
  },
  account: {
    maxNameChars: 64,
    maxNicknameChars: 50,
    signInCodeSeconds: 600,
    sessionSeconds: 180 * 24 * 3600,
    maxIdentityTokenChars: 8192,
    // Accounts that invitations make for people at one address.
    maxInvitedPerAddressAndDay: 25,
    maxSignInMailsPerDay: 10,
    // Accounts that one address signs in to; a mail has a link for each.
    maxAccountsPerSignInMail: 5,
  },
  // `approvedSeconds`: how long the browser has to fetch its session once the person has approved.
  signInRequest: { codeChars: 6, seconds: 300, approvedSeconds: 60 },
  passkey: { maxPerAccount: 20, maxNameChars: 64, challengeSeconds: 300 },
  key: {
    maxPerAccount: 25,
    maxSlugs: 100,
    maxAliases: 5,
  },
  hook: {
    maxPerAccount: 50,
    maxNameChars: 64,
    minSecretChars: 8,
    maxSecretChars: 256,
    maxTemplateChars: 4096,
    maxEvents: 50,
    maxEventChars: 64,
    maxSeverities: 20,
    maxSeverityChars: 64,
    keptRequests: 10,
    requestKeptDays: 7,
    maxKeptBodyBytes: 64 * 1024,
    // By which Standard Webhooks lets the clocks of sender and receiver differ.
    signatureAgeSeconds: 300,
  },
  device: {
    maxPerAccount: { free: 3, paid: 10 },
    maxIdChars: 128,
    maxNameChars: 64,
    maxTags: 10,
    maxTagChars: 64,
    maxPushTokenChars: 400,
    maxPushUpdateTokenChars: 200,
  },
  push: {
    maxPayloadBytes: 4096,
  },
  notification: {
    maxSnoozeDays: 30,
    maxTitleChars: 256,
    maxBodyChars: 4096,
    maxSubtitleChars: 256,
    maxThreadIdChars: 128,
    maxCollapseIdChars: 64,
    maxSourceChars: 128,
    maxSourceDisplayNameChars: 256,
    maxActions: 10,
    maxActionIdChars: 64,
    maxTextInputLabelChars: 64,
    maxMetadataKeys: 20,
    maxMetadataKeyChars: 64,
    maxMetadataValueChars: 4096,
    maxMetadataBytes: 8 * 1024,
    maxEnvelopeChars: 3072,
    maxSearchChars: 256,
    maxIdsAtOnce: 100,
  },
  mute: { maxDays: 30, maxPerAccount: 100 },
  quietHours: { maxWindows: 7, maxUntilDays: 30 },
  storm: { pushesPerMinute: { min: 1, max: 600 }, hookDefault: 30 },
  dailyCounts: { keptDays: 400, shownDays: 30, maxPerDay: 100, maxSources: 20, maxDeliveriesPerDay: 300 },
  action: {
    maxTitleChars: 64,
    maxIconChars: 64,
    maxBodyChars: 1024,
    maxHeaderBytes: 1024,
  },
  acknowledge: {
    repeatSeconds: { min: 30, default: 60, max: 3600 },
    expireSeconds: { min: 60, default: 3600, max: 10_800 },
    maxTags: 10,
    maxTagChars: 64,
  },
  receipt: {
    maxRepeats: 50,
    keptDays: 7,
  },
  callback: {
    maxAttempts: 7,
    timeoutSeconds: 10,
    maxAnswerBytes: 64 * 1024,
  },
  answer: {
    keptDays: 30,
    maxTextChars: 4096,
  },
  wait: {
    maxOpen: 4,
    maxSeconds: 25,
  },
  schedule: {
    maxPending: 25,
    horizonDays: 365,
    maxCronChars: 128,
    maxTimezoneChars: 64,
    minSpacingMinutes: 15,
    maxCount: 1000,
    endedKeptDays: 7,
    canceledKeptHours: 24,
  },
  bark: {
    // How long a phone may take to register with its address, and to be written down as seen again.
    registrationSeconds: 600,
    seenSeconds: 60,
    // Phones that ask to take the place of one.
    maxAsks: 5,
    withdrawnAtOnce: 10,
    withdrawnInAnHour: 30,
    maxKeysPerBatch: 100,
    maxRecordBytes: 8192,
  },
  unifiedPush: {
    maxPerDevice: 100,
    maxPerAccount: 300,
    // Names that nobody has, from one address.
    guessesPerMinute: 30,
    // Of an account, at the same time in one process.
    maxInFlight: 20,
    perMinute: 60,
    burst: 120,
    perDay: { free: 1000, paid: 5000 },
    unseenDays: 30,
    seenSeconds: 3600,
    // How long a message waits at least for a connection to take it.
    deliverySeconds: 30,
  },
  heartbeat: {
    maxPerAccount: { free: 20, paid: 100 },
    maxNameChars: 64,
    everySeconds: { min: 60, max: 2_678_400 },
    graceSeconds: { min: 60, default: 300, max: 604_800 },
    maxRunSeconds: { min: 60, max: 2_678_400 },
    keptPings: 100,
    maxBodyBytes: 100 * 1024,
    maxKeptBodyBytes: 10 * 1024,
    pingsPerMinute: 60,
    // Runs that have started and not ended. Beyond it a start is not remembered: the oldest runs are the ones to judge.
    maxOpenRuns: 20,
  },
  escalation: {
    maxPerAccount: { free: 10, paid: 50 },
    maxNameChars: 64,
    maxSteps: 5,
    afterSeconds: { min: 60, max: 10_800 },
    maxEmails: 5,
  },
  widget: {
    maxPerAccount: 50,
    pushThrottleSeconds: { min: 1, default: 15, max: 3600 },
    staleAfterSeconds: { min: 60, max: 604_800 },
    maxUnitChars: 32,
    maxLabelChars: 256,
    maxIconChars: 128,
    maxExpiredTextChars: 64,
    maxStatRows: 6,
    maxStatLabelChars: 32,
    maxStatValueChars: 32,
    maxStatUnitChars: 16,
    maxNodeNameChars: 32,
    points: { min: 2, max: 48 },
    maxBatteryDevices: 8,
    maxPeriods: 48,
    maxFlowInputs: 3,
    maxDeviceSorts: 2,
    dateHorizonDays: 366,
  },
  wall: { maxLinks: 20, maxLinkNameChars: 64 },
  activity: {
    maxPerAccount: 50,
    maxOngoing: 5,
    maxOngoingSeconds: 8 * 3600,
    keptDays: 30,
    // Eight hours ongoing, four more on the lock screen, and a margin for devices that were offline.
    shownDays: 2,
    maxPriority: 10,
    maxTtlSeconds: 2_592_000,
    maxDismissalSeconds: 14_400,
    maxTextChars: 256,
    maxCompletionChars: 512,
    maxCompactChars: 4,
    maxIconChars: 128,
    maxUnitChars: 32,
    maxDecimals: 10,
    dateHorizonSeconds: 157_788_000,
    futureSlackSeconds: 300,
    snoozeSeconds: { min: 60, default: 300, max: 3600 },
    maxThumbhashChars: 64,
    maxSteps: 64,
    maxStepRows: 10,
    maxStepLabelChars: 32,
    maxSeverityLabelChars: 40,
    maxSeries: 10,
    maxSeriesChars: 32,
    maxThresholds: 5,
    maxThresholdLabelChars: 12,
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
    maxPositionAgeSeconds: 12 * 3600,
    maxExtraControls: 3,
    options: { min: 2, max: 4 },
    maxOptionIdChars: 64,
    maxOptionTitleChars: 24,
    maxDetails: 2,
    maxDetailLabelChars: 24,
    maxDetailValueChars: 64,
    maxSourceChars: 24,
    // Bounds on the content of an activity without its history: members and list entries, and characters of names and texts.
    maxContentValues: 2000,
    maxContentChars: 64 * 1024,
  },
  share: {
    codeChars: 8,
    // Codes are read with spaces and hyphens, so a request may have more characters.
    maxCodeChars: 64,
    uses: { min: 1, default: 1, max: 1000 },
    codeSeconds: { min: 60, default: 86_400, max: 604_800 },
    closedCodeKeptDays: 7,
    maxOpenCodes: 100,
    maxRecipients: 100,
    // Counts the shares of all activities and patterns of an owner. It bounds GET /shares, which is not paged.
    maxGiven: 1000,
    maxReceived: { free: 20, paid: 200 },
    maxFreeRecipients: 5,
  },
  email: {
    maxRecipients: 50,
    addressChars: { min: 3, max: 254 },
    maxSubjectChars: 256,
    maxHtmlChars: 262_144,
    maxTextChars: 65_536,
    keptDays: 90,
    confirmationSeconds: 48 * 3600,
    maxConfirmationsPerDay: 50,
  },
  file: {
    // Of files that came through a door.
    keptHours: 24,
    // Of our own API, if the sender does not say.
    keptDays: { free: 1, paid: 7 },
    maxPerNotification: 4,
    maxTypeChars: 100,
    maxPerAccount: 100,
    // The files of an account have together at most so many times the bytes of the largest file that the operator allows.
    largestFilesPerAccount: 10,
    maxNameChars: 128,
  },
  eventStream: {
    maxOpen: 20,
  },
  target: {
    maxNames: 20,
    maxMembers: 100,
  },
  organization: {
    maxNameChars: 64,
    maxPerPerson: 20,
    maxMembers: { free: 10, paid: 10_000 },
    maxGroups: 100,
    maxTags: 100,
    maxOpenInvitations: 100,
    maxInvitedGroups: 20,
    // A new group may have a part of its members at once; the rest follow with PUT.
    maxNewGroupMembers: 1000,
    maxMuteDays: 30,
    maxAcknowledging: 1000,
    headKeptDays: 90,
    // Members that one transaction tells of a change.
    membersPerStep: 100,
    // Members of a group that one transaction writes or deletes.
    groupMembersPerStep: 250,
  },
} as const

export type Plan = 'free' | 'paid'
export type QuotaKind = 'notifications' | 'live_activity_updates' | 'widget_updates' | 'emails'
export type Allowance = { limit: number; per: 'month' | 'day' }

// `null`: counted without a limit.
export const QUOTAS: Record<Plan, Record<QuotaKind, Allowance | null>> = {
  free: {
    notifications: { limit: 500, per: 'month' },
    live_activity_updates: { limit: 250, per: 'month' },
    widget_updates: { limit: 50, per: 'month' },
    emails: { limit: 50, per: 'month' },
  },
  paid: {
    notifications: { limit: 5000, per: 'day' },
    live_activity_updates: null,
    widget_updates: null,
    emails: { limit: 200, per: 'month' },
  },
}
