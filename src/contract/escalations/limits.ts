// The numbers of escalation policies, a part of the table in ../limits.ts.

export const ESCALATION_LIMITS = {
  maxPerAccount: { free: 10, paid: 50 },
  maxNameChars: 64,
  maxSteps: 5,
  afterSeconds: { min: 60, max: 10_800 },
  maxEmails: 5,
} as const
