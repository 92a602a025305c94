// An app that sends through a fake mail server, and recipients that are confirmed.

import { LIMITS } from '../../../src/contract/limits.ts'
import { confirmationToken, type RecipientId } from '../../../src/domain/emails/email.ts'
import { fromRfc3339, plusSeconds } from '../../../src/domain/instant.ts'
import type { Environment } from '../../../src/runtime/config.ts'
import type { TestApp, TestUser } from '../app.ts'

export const PUBLIC_URL = 'https://heliograph.example'

export const mailSettings = (port: number): Environment => ({
  HELIOGRAPH_SMTP_URL: `smtp://127.0.0.1:${port}`,
  HELIOGRAPH_MAIL_FROM: 'Heliograph <heliograph@example.org>',
  HELIOGRAPH_PUBLIC_URL: PUBLIC_URL,
})

export type TestRecipient = { id: string; address: string; created_at: string }

// The path of the confirmation page that the mail to a new recipient links to.
export function confirmationPath({ app }: TestApp, { id, created_at }: TestRecipient): string {
  const expiresAt = plusSeconds(fromRfc3339(created_at), LIMITS.email.confirmationSeconds)
  return `/emails/confirm/${confirmationToken(app.ctx.signingKey, id as RecipientId, expiresAt)}`
}

// Adds and confirms a recipient, without waiting for the confirmation mail.
export async function addVerified(app: TestApp, user: TestUser, address = 'ada@example.org'): Promise<TestRecipient> {
  const { body } = await app.post('/emails/recipients', { address }, user.token)
  await app.post(confirmationPath(app, body))
  return body
}
