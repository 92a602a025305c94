// Programs that watch servers, back them up and deploy to them.

import { levelOfSeverity } from '../levels.ts'
import { plainSlackText } from '../marked-text.ts'
import { entryOf, joined, lines, listOf, type Members, membersOf, textOf, wordsOf } from '../members.ts'
import type { HookDocument, HookReport, Level } from '../message.ts'
import { shortHash } from './alert-group.ts'

// Gatus sends what its configuration says; the names are those of its placeholders.
export function fromGatus({ json }: HookDocument): HookReport {
  const { endpoint_name, endpoint_group, endpoint_url, alert_description, status, result_errors } = membersOf(json)
  const [name, group] = [textOf(endpoint_name), textOf(endpoint_group)]
  if (name === '') return undefined
  const isResolved = textOf(status) === 'RESOLVED'
  return {
    title: `${joined('/', group, name)} is ${isResolved ? 'up' : 'down'}`,
    body: lines(textOf(alert_description), textOf(result_errors)) || textOf(endpoint_url),
    level: 'time-sensitive',
    severity: textOf(status),
    state: isResolved ? 'resolved' : 'firing',
    url: textOf(endpoint_url),
    thread: `gatus:${group}/${name}`,
    collapse: `gatus:${group}/${name}`,
  }
}

// The alerts of Komodo about servers last. It marks the others as resolved when they happen.
const LASTING_ALERT = /^(?:Server|Swarm)/

export function fromKomodo({ json }: HookDocument): HookReport {
  const { level, resolved, target, data } = membersOf(json)
  const { type: alertType, data: details } = membersOf(data)
  const { id: _, server_id: __, name, message, details: more, ...rest } = membersOf(details)
  const type = textOf(alertType)
  if (type === '') return undefined
  const [lasts, isResolved] = [LASTING_ALERT.test(type), resolved === true]
  const about = `komodo:${textOf(membersOf(target).type)}:${textOf(membersOf(target).id)}`
  const what = joined(': ', textOf(name), type === 'Custom' ? textOf(message) : wordsOf(type))
  return {
    title: lasts && isResolved ? `Resolved: ${what}` : what,
    body: lines(
      type !== 'Custom' && textOf(message),
      textOf(more),
      ...Object.entries(rest).slice(0, 20).map(detailLine),
    ),
    level: levelOfSeverity(textOf(level)),
    severity: textOf(level),
    ...(lasts && { state: isResolved ? 'resolved' : 'firing' }),
    thread: about,
    collapse: lasts ? `${about}:${type}:${textOf(rest.path)}` : undefined,
  }
}

// A value may be a number of gigabytes with sixteen digits, a list of images, or an error with its trace.
function detailLine([name, value]: [string, unknown]): string {
  const shown = typeof value === 'number' ? Math.round(value * 10) / 10 : value
  const text =
    textOf(shown) || textOf(membersOf(value).error) || joined(', ', ...listOf(value).slice(0, 20).map(textOf))
  return text && joined(': ', wordsOf(name), text)
}

// Backrest sends what its hook says: an event such as CONDITION_SNAPSHOT_ERROR, or its name "snapshot error".
export function fromBackrest({ json }: HookDocument): HookReport {
  const { event, plan: planId, repo: repoId, error, data_added } = membersOf(json)
  const words = textOf(event)
    .replace(/^CONDITION_/, '')
    .replaceAll('_', ' ')
    .toLowerCase()
  const [plan, repo] = [textOf(planId), textOf(repoId)]
  if (words === '') return undefined
  const hasFailed = /\berror$/.test(words) || textOf(error) !== ''
  const isOver = hasFailed || words.endsWith('success')
  const operation = words.split(' ', 1)[0]
  const added = Number(data_added)
  return {
    // Plans of Backrest's own begin with an underscore.
    title: joined(': ', plan.startsWith('_') ? repo : plan || repo, words),
    body: lines(textOf(error), repo && `Repository: ${repo}`, added > 0 && `Added: ${(added / 1e6).toFixed(1)} MB`),
    level: hasFailed ? 'time-sensitive' : words.endsWith('warning') ? 'active' : 'passive',
    severity: words,
    // Any error has no success that ends it.
    ...(isOver && operation !== 'any' && { state: hasFailed ? 'firing' : 'resolved' }),
    thread: `backrest:${repo}`,
    collapse: isOver && operation !== 'any' ? `backrest:${plan}:${repo}:${operation}` : undefined,
  }
}

type Deployment = { word: string; level: Level; state?: 'firing' | 'resolved' }

const DEPLOYMENTS: Record<string, Deployment> = {
  created: { word: 'created', level: 'passive' },
  deleted: { word: 'deleted', level: 'active' },
  'sync-running': { word: 'syncing', level: 'passive' },
  'sync-succeeded': { word: 'synced', level: 'passive' },
  'sync-failed': { word: 'sync failed', level: 'time-sensitive', state: 'firing' },
  'sync-status-unknown': { word: 'sync status unknown', level: 'time-sensitive', state: 'firing' },
  'health-degraded': { word: 'degraded', level: 'time-sensitive', state: 'firing' },
  deployed: { word: 'deployed', level: 'passive', state: 'resolved' },
  healthy: { word: 'healthy', level: 'passive', state: 'resolved' },
}

// Argo CD sends what its template says; the events are those of its triggers.
const deploymentOf = ({ event }: Members): Deployment | undefined =>
  entryOf(DEPLOYMENTS, textOf(event).replace(/^(?:on|app)-/, ''))

export const isFromArgocd = (members: Members): boolean =>
  textOf(members.app) !== '' && deploymentOf(members) !== undefined

export function fromArgocd({ json }: HookDocument): HookReport {
  const members = membersOf(json)
  const [app, event, revision] = [textOf(members.app), textOf(members.event), textOf(members.revision)]
  if (app === '' || event === '') return undefined
  const { word, level, state } = deploymentOf(members) ?? { word: wordsOf(event), level: 'active' as const }
  return {
    title: `${app}: ${word}`,
    body: lines(textOf(members.message), revision && `Revision: ${revision.slice(0, 12)}`, textOf(members.repo_url)),
    level,
    severity: event,
    state,
    url: textOf(members.url) || textOf(members.repo_url),
    thread: `argocd:${app}`,
    collapse: state && `argocd:${app}`,
  }
}

// Proxmox VE, Backup Server and Mail Gateway send what their target says; the names are those of their placeholders.
export function fromProxmox({ json }: HookDocument): HookReport {
  const { title, message, severity, fields, ...flat } = membersOf(json)
  const { hostname, type } = { ...flat, ...membersOf(fields) }
  if (textOf(title) === '' && textOf(message) === '') return undefined
  return {
    title: textOf(title),
    body: textOf(message),
    level: levelOfSeverity(textOf(severity)),
    severity: textOf(severity),
    thread: joined(':', 'proxmox', textOf(hostname), textOf(type)),
  }
}

// TrueNAS has no webhook, but posts to Slack: "TrueNAS @ host", then lists of new, cleared and current alerts.
const TRUENAS = /^(?:True|Free)NAS[^\n@]{0,40} @ ([^\n]{1,255})\n/

export const isFromTruenas = ({ text }: Members): boolean => TRUENAS.test(textOf(text))

export function fromTruenas({ json }: HookDocument): HookReport {
  const text = plainSlackText(textOf(membersOf(json).text))
  const host = TRUENAS.exec(text)?.[1]?.trim()
  if (host === undefined) return undefined
  const said = text.slice(text.indexOf('\n')).trim()
  const [begun, cleared] = [alertsOf(said, ['New']), alertsOf(said, ['The following', 'These'])]
  const isResolved = begun.length === 0 && cleared.length > 0
  const changed = isResolved ? cleared : begun
  const [only, ...others] = changed
  if (only === undefined) return { title: host, body: said, level: 'active', thread: `truenas:${host}` }
  return {
    title: `${host}: ${isResolved ? 'cleared' : 'new'} alert${others.length > 0 ? 's' : ''}`,
    body: lines(...begun, ...cleared.map((alert) => (isResolved ? alert : `Cleared: ${alert}`))),
    level: 'time-sensitive',
    thread: `truenas:${host}`,
    // Several alerts in one request cannot end one by one.
    ...(others.length === 0 && {
      state: isResolved ? 'resolved' : 'firing',
      collapse: `truenas:${host}:${shortHash(only)}`,
    }),
  }
}

const HEADING = /^(New|The following|These|Current) alerts?(?: ha(?:s|ve) been cleared)?: *$/m

// The items of the list under one of the headings. TrueNAS breaks long lines.
function alertsOf(text: string, headings: string[]): string[] {
  const parts = text.split(HEADING)
  const list = parts.find((_, index) => index > 0 && headings.includes(parts[index - 1] as string)) ?? ''
  return list
    .split(/^ *\* /m)
    .map((item) => item.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
}
