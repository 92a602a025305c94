// The kinds of hooks: how each reads a request, and how a request tells its kind.
import type { HookKind, HookOptions } from './hook.ts'
import { fromAlertmanager } from './kinds/alertmanager.ts'
import { fromChangedetection, fromJellyfin, fromOverseerr, fromPaperless } from './kinds/applications.ts'
import { fromApprise } from './kinds/apprise.ts'
import { fromDiscord } from './kinds/discord.ts'
import { fromGeneric } from './kinds/generic.ts'
import { fromGithub, isOfGitea } from './kinds/github.ts'
import { fromGitlab } from './kinds/gitlab.ts'
import { fromGrafana } from './kinds/grafana.ts'
import { fromHealthchecks } from './kinds/healthchecks.ts'
import {
  fromArgocd,
  fromBackrest,
  fromGatus,
  fromKomodo,
  fromProxmox,
  fromTruenas,
  isFromArgocd,
  isFromTruenas,
} from './kinds/infrastructure.ts'
import { fromServarr } from './kinds/servarr.ts'
import { fromSlack, isSlackMessage, slackRefusal } from './kinds/slack.ts'
import { fromTeams, isTeamsMessage } from './kinds/teams.ts'
import { fromUptimeKuma } from './kinds/uptime-kuma.ts'
import { listOf, type Members, membersOf, textOf } from './members.ts'
import type { Dropped, HookDocument, HookMessage, ReadHook } from './message.ts'

// A template is rendered elsewhere, because it takes a thread.
export type ReadableKind = Exclude<HookKind, 'auto' | 'template'>

// `isFrom`: whether the request has members or headers that only this kind has.
type Kind = { read: ReadHook; isFrom(members: Members, headers: Record<string, string>): boolean }

const has = (members: Members, ...names: string[]): boolean => names.every((name) => Object.hasOwn(members, name))

const isOneOf = (value: unknown, words: string[]): boolean => words.includes(textOf(value))

const hasAlerts = ({ alerts }: Members): boolean => listOf(alerts).some((alert) => has(membersOf(alert), 'labels'))

// In the order in which `auto` asks: Gitea sends the headers of GitHub as well, and many programs post to chats.
const KINDS: Record<ReadableKind, Kind> = {
  gitea: {
    isFrom: (members, headers) =>
      Boolean(headers['x-gitea-event'] || headers['x-forgejo-event']) ||
      (!headers['x-github-event'] && isOfGitea(members)),
    read: fromGithub,
  },
  github: { isFrom: (_, headers) => Boolean(headers['x-github-event']), read: fromGithub },
  gitlab: { isFrom: (_, headers) => Boolean(headers['x-gitlab-event']), read: fromGitlab },
  grafana: {
    isFrom: (members) =>
      hasAlerts(members) && (textOf(members.version) === '1' || has(members, 'orgId') || !has(members, 'groupKey')),
    read: fromGrafana,
  },
  alertmanager: {
    isFrom: (members) => hasAlerts(members) || (textOf(members.version) === '4' && has(members, 'groupKey')),
    read: fromAlertmanager,
  },
  'uptime-kuma': { isFrom: (members) => has(members, 'heartbeat', 'monitor', 'msg'), read: fromUptimeKuma },
  healthchecks: { isFrom: (members) => has(members, 'ping_url', 'n_pings', 'status'), read: fromHealthchecks },
  servarr: { isFrom: (members) => has(members, 'eventType', 'instanceName'), read: fromServarr },
  gatus: {
    isFrom: ({ endpoint_name, status }) => textOf(endpoint_name) !== '' && isOneOf(status, ['TRIGGERED', 'RESOLVED']),
    read: fromGatus,
  },
  komodo: {
    isFrom: (members) =>
      has(members, 'ts', 'resolved', 'target', 'data') && isOneOf(members.level, ['OK', 'WARNING', 'CRITICAL']),
    read: fromKomodo,
  },
  backrest: { isFrom: ({ event }) => /^CONDITION_[A-Z_]+$/.test(textOf(event)), read: fromBackrest },
  argocd: { isFrom: isFromArgocd, read: fromArgocd },
  proxmox: {
    isFrom: (members) =>
      has(members, 'title', 'message') &&
      (has(members, 'hostname', 'type') || has(members, 'fields')) &&
      isOneOf(members.severity, ['info', 'notice', 'warning', 'error', 'unknown']),
    read: fromProxmox,
  },
  truenas: { isFrom: isFromTruenas, read: fromTruenas },
  jellyfin: { isFrom: (members) => has(members, 'NotificationType', 'ServerName'), read: fromJellyfin },
  overseerr: {
    isFrom: ({ notification_type }) => /^(?:MEDIA|ISSUE|TEST)_[A-Z_]+$/.test(textOf(notification_type)),
    read: fromOverseerr,
  },
  paperless: {
    isFrom: (members) =>
      has(members, 'doc_url') || (textOf(members.event) === 'consumption_started' && has(members, 'filename')),
    read: fromPaperless,
  },
  changedetection: {
    isFrom: (members) => textOf(members.diff_url) !== '' && (has(members, 'url') || has(members, 'watch_url')),
    read: fromChangedetection,
  },
  apprise: {
    isFrom: (members) =>
      isOneOf(members.type, ['info', 'success', 'warning', 'failure']) &&
      (has(members, 'body') || has(members, 'message')),
    read: fromApprise,
  },
  teams: { isFrom: isTeamsMessage, read: fromTeams },
  discord: {
    isFrom: (members) =>
      listOf(members.embeds).length > 0 || (textOf(members.content) !== '' && !has(members, 'title')),
    read: fromDiscord,
  },
  slack: { isFrom: isSlackMessage, read: fromSlack },
  generic: { isFrom: () => true, read: fromGeneric },
}

type Report = HookMessage | Dropped

// A document that is not of its kind is read as a generic one: an alert is never lost. Slack refuses it, and its senders
// know its words.
export function readReport(kind: ReadableKind, document: HookDocument, options: HookOptions): Report {
  const report = KINDS[kind].read(document, options)
  if (!report && kind === 'slack') throw slackRefusal(document)
  return report ?? fromGeneric(document)
}

// Refuses nothing: a kind is a guess.
export function readRecognized(document: HookDocument, options: HookOptions): { kind: ReadableKind; report: Report } {
  const members = membersOf(document.json)
  const found = ENTRIES.find(([, { isFrom }]) => isFrom(members, document.headers))
  // The last takes every request.
  const [kind, { read }] = found as [ReadableKind, Kind]
  const report = read(document, options)
  return report ? { kind, report } : { kind: 'generic', report: fromGeneric(document) }
}

const ENTRIES = Object.entries(KINDS) as [ReadableKind, Kind][]
