// Validates a draft with dry runs, debounced after the last change.
import { useEffect, useState } from 'preact/hooks'
import { api, messageOf, type Violation, violationsOf } from '../api/client.ts'
import { type ApiRequest, asDryRun } from './draft.ts'
import { violationInWords } from './violation-words.ts'

export type Check =
  | { state: 'checking' }
  // What the server answered to each request.
  | { state: 'valid'; answers: unknown[] }
  | { state: 'refused'; message: string; violations: Violation[] }

const DEBOUNCE_MS = 350

export function useCheck(requests: ApiRequest[] | undefined): Check {
  const [check, setCheck] = useState<Check>({ state: 'checking' })
  const key = JSON.stringify(requests)
  useEffect(() => {
    if (!requests) return
    let isCurrent = true
    setCheck((before) => (before.state === 'refused' ? before : { state: 'checking' }))
    const timer = setTimeout(async () => {
      const result = await dryRun(requests)
      if (isCurrent) setCheck(result)
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [key])
  return check
}

async function dryRun(requests: ApiRequest[]): Promise<Check> {
  const results = await Promise.allSettled(requests.map((request) => send(asDryRun(request))))
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  if (refusals.length === 0) return { state: 'valid', answers }
  return { state: 'refused', message: messageOf(refusals[0]), violations: once(refusals.flatMap(violationsOf)) }
}

// Two requests with the same content are refused for the same reasons.
const once = (violations: Violation[]): Violation[] =>
  violations.filter(
    ({ location, message }, index) =>
      violations.findIndex((one) => one.location === location && one.message === message) === index,
  )

export const send = ({ method, path, body }: ApiRequest): Promise<unknown> =>
  method === 'POST' ? api.post(path, body) : api.patch(path, body)

// The message of the violation at one field, if any.
export function errorAt(check: Check, place: string): string | undefined {
  if (check.state !== 'refused') return undefined
  const violation = check.violations.find(({ location }) => isAt(location, place))
  return violation && violationInWords(violation.message)
}

export const isAt = (location: string, place: string): boolean =>
  location === `body.${place}` || location.startsWith(`body.${place}.`) || location.startsWith(`body.${place}[`)
