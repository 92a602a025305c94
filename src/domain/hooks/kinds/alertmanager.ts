// Prometheus Alertmanager: a request is a group of alerts.

import { membersOf, textOf } from '../members.ts'
import type { HookAction, HookDocument, HookReport } from '../message.ts'
import {
  type AlertGroup,
  alertLines,
  alertText,
  annotationOf,
  readAlertGroup,
  severityOf,
  shortHash,
} from './alert-group.ts'

export function fromAlertmanager({ json }: HookDocument): HookReport {
  const group = readAlertGroup(json)
  if (!group) return undefined
  const { alerts, groupKey, groupLabels, isFiring } = group
  const externalUrl = textOf(membersOf(json).externalURL)
  const generatorUrl = alerts.length === 1 ? textOf(alerts[0]?.generatorURL) : ''
  return {
    title: titleOf(group),
    body: alertLines(group, alertText),
    ...severityOf(group),
    state: isFiring ? 'firing' : 'resolved',
    url: generatorUrl || externalUrl,
    thread: `am:${shortHash(JSON.stringify(Object.entries(groupLabels).sort()))}`,
    collapse: `am:${groupKey}`,
    actions: actionsOf(group, externalUrl),
  }
}

function titleOf({ alerts, commonLabels, groupLabels, isFiring }: AlertGroup): string {
  const name = textOf(commonLabels.alertname) || textOf(groupLabels.alertname)
  const count = isFiring ? alerts.filter((alert) => alert.isFiring).length : alerts.length
  const what = name ? (count > 1 ? `${count} × ${name}` : name) : `${count} alert${count === 1 ? '' : 's'}`
  return isFiring ? what : `Resolved: ${what}`
}

function actionsOf(group: AlertGroup, externalUrl: string): HookAction[] {
  const dashboard = annotationOf(group, 'dashboard_url') || annotationOf(group, 'dashboard')
  return [
    { id: 'runbook', title: 'Runbook', url: annotationOf(group, 'runbook_url') },
    { id: 'dashboard', title: 'Dashboard', url: dashboard },
    { id: 'silence', title: 'Silence', url: group.isFiring && externalUrl ? silenceUrl(externalUrl, group) : '' },
  ]
}

// The page of Alertmanager for a new silence of the alerts of this group.
function silenceUrl(externalUrl: string, { groupLabels }: AlertGroup): string {
  const matchers = Object.entries(groupLabels).map(([name, value]) => `${name}=${JSON.stringify(textOf(value))}`)
  return `${externalUrl.replace(/\/$/, '')}/#/silences/new?filter=${encodeURIComponent(`{${matchers.join(',')}}`)}`
}
