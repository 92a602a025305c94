// The log of one client: every request it sends, and what the answer promised. It is append-only: a request is recorded
// before it is sent, and only its answer is added later. Only the last one can be without an answer, when the server was killed.
import { expect } from 'vitest'
import type { Answer, TestClient } from '../client.ts'

export type Entry = {
  subject: string
  op: string
  // Grows with each request of a client, and is what the request writes.
  value: number
  // Which of several things is changed.
  target?: string
  accepted?: Accepted
}

// The id and the secret in the answer, if it has them.
export type Accepted = { id?: string; secret?: string; isUpdate?: boolean }

export type Writer = {
  token: string
  entries: Entry[]
  // What prepareWriters has added to the account.
  orgKey?: string
  joinCode?: string
}

// One kind of thing that is written.
export type Subject = {
  // The next request, if the log allows one now.
  next(log: Entry[], value: number): Omit<Entry, 'subject' | 'value' | 'accepted'> | undefined
  send(api: TestClient, writer: Writer, entry: Entry): Promise<Answer>
  read(answer: Answer, entry: Entry): Accepted
  // Compares the log of this subject with what the server shows.
  check(api: TestClient, writer: Writer, log: Entry[]): Promise<void>
}

export const acceptedIn = (log: Entry[]): Entry[] => log.filter(({ accepted }) => accepted !== undefined)

// The request that got no answer: it must have been carried out completely or not at all.
export const unansweredIn = (log: Entry[]): Entry | undefined => log.find(({ accepted }) => accepted === undefined)

// Things that are only ever added: all accepted ones are there, once each, and besides them at most the unanswered one.
export function expectAllAdded(log: Entry[], found: number[], what: string): void {
  const accepted = acceptedIn(log).map(({ value }) => value)
  const unanswered = unansweredIn(log)?.value
  expect(found.filter((value) => value !== unanswered).toSorted(ascending), what).toEqual(accepted.toSorted(ascending))
  expect(new Set(found).size, `${what} are there once`).toBe(found.length)
}

const ascending = (a: number, b: number) => a - b

// Things that are overwritten: the last accepted value is there, or the unanswered one.
export function expectLastWritten(log: Entry[], found: number | undefined, what: string): void {
  const accepted = acceptedIn(log).at(-1)?.value
  const unanswered = unansweredIn(log)
  expect([accepted, ...(unanswered ? [unanswered.value] : [])], what).toContain(found)
}
