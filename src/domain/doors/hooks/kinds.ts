// The kinds of hooks: how each reads a request, and how a request tells its kind.

import type { HookKind, HookOptions } from './hook.ts'
import { fromAlertmanager } from './kinds/alertmanager.ts'
import { fromApprise } from './kinds/apprise.ts'
import { fromDiscord } from './kinds/discord.ts'
import { fromGeneric } from './kinds/generic.ts'
import { fromGithub } from './kinds/github.ts'
import { fromGitlab } from './kinds/gitlab.ts'
import { fromGrafana } from './kinds/grafana.ts'
import { fromHealthchecks } from './kinds/healthchecks.ts'
import { fromServarr } from './kinds/servarr.ts'
import { fromSlack } from './kinds/slack.ts'
import { fromUptimeKuma } from './kinds/uptime-kuma.ts'
import { membersOf, textOf } from './members.ts'
import type { Dropped, HookDocument, HookMessage, ReadHook } from './message.ts'

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
