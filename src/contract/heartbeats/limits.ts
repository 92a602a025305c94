// The numbers of heartbeats, a part of the table in ../limits.ts.

export const HEARTBEAT_LIMITS = {
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
} as const
