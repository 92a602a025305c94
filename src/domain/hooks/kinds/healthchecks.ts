// healthchecks.io: the state of a check, with the placeholder $JSON as the body of the webhook.
import { lines, membersOf, textOf } from '../members.ts'
import type { HookDocument, HookReport } from '../message.ts'

export function fromHealthchecks({ json }: HookDocument): HookReport {
  const check = membersOf(json)
  const status = textOf(check.status)
  const uuid = textOf(check.uuid) || textOf(check.slug)
  if (status === '' || uuid === '') return undefined
  const [lastPing, tags] = [textOf(check.last_ping), textOf(check.tags)]
  const isUp = status === 'up'
  return {
    title: `${textOf(check.name) || textOf(check.slug) || 'A check'} is ${status.toUpperCase()}`,
    body: lines(textOf(check.desc), lastPing && `Last ping: ${lastPing}`, tags && `Tags: ${tags}`),
    level: isUp ? 'passive' : 'time-sensitive',
    severity: status,
    state: isUp ? 'resolved' : 'firing',
    url: textOf(check.update_url).replace(/\/api\/v\d+\/checks\/([\w-]+)$/, '/checks/$1/details/'),
    thread: `hc:${uuid}`,
    collapse: `hc:${uuid}`,
  }
}
