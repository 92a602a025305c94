// The numbers of quiet hours and storm shields, a part of the table in ../limits.ts.

export const QUIET_HOURS_LIMITS = { maxWindows: 7, maxUntilDays: 30 } as const

export const STORM_LIMITS = { pushesPerMinute: { min: 1, max: 600 }, hookDefault: 30 } as const
