// Every refusal has the same form; a test names the status and code it expects and gets the rest checked.
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
  const saysWhenAgain = status === 429 || status === 503 || code.endsWith('limit_exceeded')
  expect(answer.headers.has('retry-after')).toBe(saysWhenAgain)
  expect(answer.body.retry_after_ms !== undefined).toBe(saysWhenAgain)
  if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer')
}

// Where the body or content of a request was refused.
export const locations = (answer: Answer): string[] =>
  (answer.body.errors ?? []).map((violation: { location: string }) => violation.location)
