// Every number the contract fixes, in one table. Tests and the documentation read the same rows.

export const LIMITS = {
  requestBodyBytes: 1024 * 1024,
  jsonDepth: 32,
  slugChars: 128,
  nameChars: 256,
  pageItems: 100,
  pageItemsDefault: 50,

  rateWindowSeconds: 60,
  signInsPerMinute: 10,
  demosPerMinute: 3,

  integrationKeys: 25,
  slugListEntries: 100,
  userNameChars: 64,
  nicknameChars: 50,
  signInCodeSeconds: 600,
  sessionSeconds: 180 * 24 * 3600,

  devices: { free: 3, paid: 10 },
  deviceIdChars: 128,
  deviceNameChars: 64,
  deviceTags: 10,
  deviceTagChars: 64,
  pushTokenChars: 400,
  pushUpdateTokenChars: 200,

  answerKeptDays: 30,
  openWaits: 4,
  longestWaitSeconds: 25,

  widgets: 50,
  widgetPushThrottleSeconds: 15,
  widgetPushThrottleSecondsMax: 3600,
  widgetStaleAfterSecondsMin: 60,
  widgetStaleAfterSecondsMax: 604_800,
  widgetUnitChars: 32,
  widgetLabelChars: 256,
  widgetIconChars: 128,
  widgetExpiredTextChars: 64,
  widgetStatRows: 6,
  widgetStatLabelChars: 32,
  widgetStatValueChars: 32,
  widgetStatUnitChars: 16,
  widgetNodeNameChars: 32,
  widgetPointsMin: 2,
  widgetPoints: 48,
  widgetBatteryDevices: 8,
  widgetPeriods: 48,
  widgetFlowInputs: 3,
  widgetDeviceSorts: 2,
  widgetDateHorizonDays: 366,

  urlChars: 2048,
  actionTitleChars: 64,
  actionIconChars: 64,
  actionBodyChars: 1024,
  actionHeaderBytes: 1024,

  notificationTitleChars: 256,
  notificationBodyChars: 4096,
  notificationSubtitleChars: 256,
  notificationThreadIdChars: 128,
  notificationCollapseIdChars: 64,
  notificationSourceChars: 128,
  notificationSourceDisplayNameChars: 256,
  notificationActions: 10,
  notificationActionIdChars: 64,
  notificationTextInputLabelChars: 64,
  notificationMetadataKeys: 20,
  notificationMetadataKeyChars: 64,
  notificationMetadataValueChars: 4096,
  notificationMetadataBytes: 8 * 1024,
  notificationEnvelopeChars: 3072,
  notificationSearchChars: 256,
  pushPayloadBytes: 4096,
  notificationsReadAtOnce: 100,
  answerTextChars: 4096,

  acknowledgeRepeatSecondsMin: 30,
  acknowledgeRepeatSecondsMax: 3600,
  acknowledgeExpireSecondsMin: 60,
  acknowledgeExpireSecondsMax: 10_800,
  acknowledgeRepeatSeconds: 60,
  acknowledgeExpireSeconds: 3600,
  acknowledgeTags: 10,
  acknowledgeTagChars: 64,

  activeReceipts: 25,
  receiptRepeats: 50,
  receiptKeptDays: 7,
  callbackAttempts: 7,
  callbackSeconds: 10,
  callbackAnswerBytes: 64 * 1024,

  pendingSchedules: 25,
  scheduleHorizonDays: 365,
  scheduleCronChars: 128,
  scheduleTimezoneChars: 64,
  scheduleSpacingMinutes: 15,
  scheduleCount: 1000,
  scheduleEndedKeptDays: 7,
  scheduleCanceledKeptHours: 24,

  targetNames: 20,
  targetMembers: 100,
} as const

export type Plan = 'free' | 'paid'
export type QuotaKind = 'notifications' | 'live_activity_updates' | 'widget_updates' | 'emails'
export type Allowance = { limit: number; per: 'month' | 'day' }

// `null` is uncapped: counted, never refused.
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
