// Uptime Kuma: the state of a monitor, or a text alone for tests and certificates that expire.
import { parsedOr } from '../document.ts'
import { entryOf, lines, listOf, type Members, membersOf, textOf } from '../members.ts'
import type { HookDocument, HookReport, Level } from '../message.ts'

type Status = { word: string; level: Level; state?: 'firing' | 'resolved' }

const STATUSES: Record<string, Status> = {
  0: { word: 'down', level: 'time-sensitive', state: 'firing' },
  1: { word: 'up', level: 'active', state: 'resolved' },
  2: { word: 'pending', level: 'passive' },
  3: { word: 'under maintenance', level: 'passive' },
}

export function fromUptimeKuma({ json }: HookDocument): HookReport {
  const { msg, ...members } = membersOf(json)
  // As JSON in a query or a form.
  const [heartbeat, monitor] = [membersOf(parsedOr(members.heartbeat)), membersOf(parsedOr(members.monitor))]
  if (textOf(msg) === '' && heartbeat.status === undefined) return undefined
  const status = entryOf(STATUSES, textOf(heartbeat.status))
  if (!status) return textAlone(textOf(msg), monitor)
  const { word, level, state } = status
  const isCritical = state === 'firing' && listOf(monitor.tags).some(saysCritical)
  const id = textOf(monitor.id) || textOf(heartbeat.monitorID)
  return {
    title: `${textOf(monitor.name) || 'A monitor'} is ${word}`,
    body: lines(textOf(heartbeat.msg) || textOf(msg), downtime(heartbeat)),
    level: isCritical ? 'critical' : level,
    severity: word,
    state,
    url: textOf(monitor.url),
    thread: `kuma:${id}`,
    collapse: `kuma:${id}`,
  }
}

// A certificate or a domain that expires soon: "[name][address] what", without a heartbeat.
function textAlone(msg: string, { name, url }: Members): HookReport {
  const [, namedFirst = '', address, text] = /^\[([^\]]{1,256})\](?:\[([^\]]{0,2048})\])? *(.+)$/s.exec(msg) ?? []
  const monitor = textOf(name) || namedFirst
  return { title: monitor || 'Uptime Kuma', body: text ?? msg, level: 'active', url: textOf(url) || address }
}

const saysCritical = (tag: unknown): boolean => {
  const { name, value } = membersOf(tag)
  return [name, value].some((text) => textOf(text).toLowerCase() === 'critical')
}

// Only a heartbeat that ends a downtime has its beginning.
function downtime({ time, lastDownTime }: Members): string | false {
  const [end, start] = [time, lastDownTime].map((text) => Date.parse(`${textOf(text).replace(' ', 'T')}Z`))
  const minutes = Math.round(((end as number) - (start as number)) / 60_000)
  return minutes > 0 && `Down for ${minutes} min`
}
