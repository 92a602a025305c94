// The kinds of hooks: how each reads a request, and how a request tells its kind.
import { fromAlertmanager } from './alertmanager.ts'
import { fromApprise } from './apprise.ts'
import { fromDiscord } from './discord.ts'
import { fromGeneric } from './generic.ts'
import { fromGithub } from './github.ts'
import { fromGitlab } from './gitlab.ts'
import { fromGrafana } from './grafana.ts'
import { fromHealthchecks } from './healthchecks.ts'
import type { HookKind, HookOptions } from './hook.ts'
import { membersOf, textOf } from './members.ts'
import type { Dropped, HookDocument, HookMessage, ReadHook } from './message.ts'
import { fromServarr } from './servarr.ts'
import { fromSlack } from './slack.ts'
import { fromUptimeKuma } from './uptime-kuma.ts'

// A template is rendered elsewhere, because it takes a thread.
export type ReadableKind = Exclude<HookKind, 'auto' | 'template'>

const READERS: Record<ReadableKind, ReadHook> = {
  alertmanager: fromAlertmanager,
  grafana: fromGrafana,
  github: fromGithub,
  gitlab: fromGitlab,
  'uptime-kuma': fromUptimeKuma,
  healthchecks: fromHealthchecks,
  slack: fromSlack,
  discord: fromDiscord,
  servarr: fromServarr,
  apprise: fromApprise,
  generic: fromGeneric,
}

// A document that is not of its kind is read as a generic one: an alert is never lost.
export const readReport = (kind: ReadableKind, document: HookDocument, options: HookOptions): HookMessage | Dropped =>
  READERS[kind](document, options) ?? fromGeneric(document)

export function recognizedKind({ headers, json }: HookDocument): ReadableKind {
  if (headers['x-github-event']) return 'github'
  if (headers['x-gitlab-event']) return 'gitlab'
  const members = membersOf(json)
  const has = (...names: string[]) => names.every((name) => name in members)
  if (textOf(members.version) === '4' && has('groupKey')) return 'alertmanager'
  if (textOf(members.version) === '1' && has('orgId', 'state')) return 'grafana'
  if (has('heartbeat', 'monitor', 'msg')) return 'uptime-kuma'
  if (has('ping_url', 'n_pings', 'status')) return 'healthchecks'
  if (has('eventType', 'instanceName')) return 'servarr'
  if (has('type') && APPRISE_TYPES.includes(textOf(members.type)) && (has('body') || has('message'))) return 'apprise'
  if (has('embeds') || (has('content') && !has('title'))) return 'discord'
  if (has('attachments') || has('blocks') || (has('text') && !has('title'))) return 'slack'
  return 'generic'
}

const APPRISE_TYPES = ['info', 'success', 'warning', 'failure']
