// Whether the checklist is shown: hidden by the person, per account and in this browser; or started during this visit, so
// that it stays while the last steps are taken.
import { signal } from '@preact/signals'

const STORED = 'first-run-hidden'

const hiddenFor = signal<string[]>(JSON.parse(localStorage.getItem(STORED) ?? '[]'))
const startedFor = signal<string | undefined>(undefined)

// What is hidden while it is open stays until the next visit: it was hidden because it is done.
export const isHidden = (accountId: string): boolean =>
  hiddenFor.value.includes(accountId) && startedFor.value !== accountId

export function hideFirstRun(accountId: string): void {
  hiddenFor.value = [...new Set([...hiddenFor.value, accountId])]
  localStorage.setItem(STORED, JSON.stringify(hiddenFor.value))
}

// By the person, who does not want to see it any more now.
export function closeFirstRun(accountId: string): void {
  startedFor.value = undefined
  hideFirstRun(accountId)
}

export const isStarted = (accountId: string): boolean => startedFor.value === accountId

export function startFirstRun(accountId: string): void {
  startedFor.value = accountId
}

// How much of it is done, while it is shown beside the list, which is all that a phone shows then.
export const progress = signal<{ done: number; all: number } | undefined>(undefined)

// Shows the checklist also to somebody who has hidden it.
export const FIRST_RUN = '/app/?first-run'
