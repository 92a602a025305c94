// Expects a problem with this status and code, and checks the members and headers that every problem has.
import { expect } from 'vitest'
import type { Answer } from './client.ts'

export function expectProblem(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body?.code }, answer.text).toEqual({ status, code })
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(answer.body).toMatchObject({
    type: 'about:blank',
    title: expect.stringMatching(/\S/),
    status,
    detail: expect.stringMatching(/\S/),
    instance: `/requests/${answer.headers.get('x-request-id')}`,
  })
  const isCap = status !== 403 && code.endsWith('limit_exceeded')
  const hasRetryAfter = status === 429 || status === 503 || isCap
  expect(answer.headers.has('retry-after')).toBe(hasRetryAfter)
  expect(answer.body.retry_after_ms !== undefined).toBe(hasRetryAfter)
  if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer')
}

// The locations of the violations in a request body or content.
export const locations = (answer: Answer): string[] =>
  (answer.body.errors ?? []).map((violation: { location: string }) => violation.location)
