// Validates a draft with dry runs, debounced after the last change.
import { useEffect, useState } from 'preact/hooks'
import { api, messageOf, type Violation, violationsOf } from '../api/client.ts'
import { type ApiRequest, asDryRun } from './draft.ts'
import { violationInWords } from './violation-words.ts'

export type Check =
  | { state: 'checking' }
  | { state: 'valid' }
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
  const refusals = (await Promise.all(requests.map(errorOf))).flatMap((error) => error ?? [])
  const [first] = refusals
  if (!first) return { state: 'valid' }
  return { state: 'refused', message: messageOf(first), violations: refusals.flatMap(violationsOf) }
}

async function errorOf(request: ApiRequest): Promise<unknown> {
  try {
    await send(asDryRun(request))
    return undefined
  } catch (error) {
    return error
  }
}

export async function send({ method, path, body }: ApiRequest): Promise<void> {
  await (method === 'POST' ? api.post(path, body) : api.patch(path, body))
}

// The message of the violation at one field, if any.
export function errorAt(check: Check, place: string): string | undefined {
  if (check.state !== 'refused') return undefined
  const violation = check.violations.find(({ location }) => isAt(location, place))
  return violation && violationInWords(violation.message)
}

export const isAt = (location: string, place: string): boolean =>
  location === `body.${place}` || location.startsWith(`body.${place}.`) || location.startsWith(`body.${place}[`)
