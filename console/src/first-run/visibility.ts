// Whether the checklist is shown: hidden by the person, per account and in this browser; or started during this visit, so
// that it stays while the last steps are taken.
import { signal } from '@preact/signals'

const STORED = 'first-run-hidden'

const hiddenFor = signal<string[]>(JSON.parse(localStorage.getItem(STORED) ?? '[]'))
const startedFor = signal<string | undefined>(undefined)

export const isHidden = (accountId: string): boolean => hiddenFor.value.includes(accountId)

export function hideFirstRun(accountId: string): void {
  hiddenFor.value = [...new Set([...hiddenFor.value, accountId])]
  localStorage.setItem(STORED, JSON.stringify(hiddenFor.value))
}

export const isStarted = (accountId: string): boolean => startedFor.value === accountId

export function startFirstRun(accountId: string): void {
  startedFor.value = accountId
}

// Shows the checklist also to somebody who has hidden it.
export const FIRST_RUN = '/app/?first-run'
