// Grafana Alerting: a group of alerts in the form of Alertmanager, with a title and links added by Grafana.

import { plainMarkdown } from '../marked-text.ts'
import { lines, membersOf, textOf } from '../members.ts'
import type { HookDocument, HookReport } from '../message.ts'
import { type Alert, type AlertGroup, alertLines, alertText, readAlertGroup, severityOf } from './alert-group.ts'

export function fromGrafana({ json }: HookDocument): HookReport {
  const group = readAlertGroup(json)
  if (!group) return undefined
  const { title, message } = membersOf(json)
  const { alerts, commonLabels, groupLabels, groupKey, isFiring } = group
  const first: Partial<Alert> = alerts[0] ?? {}
  const name = textOf(commonLabels.alertname) || textOf(groupLabels.alertname)
  const folder = textOf(commonLabels.grafana_folder) || textOf(groupLabels.grafana_folder)
  const hasAnnotations = alerts.some(
    ({ annotations }) => textOf(annotations.summary) || textOf(annotations.description),
  )
  return {
    title: textOf(title) || name || 'Grafana',
    body: hasAnnotations
      ? alertLines(group, annotationText)
      : plainMarkdown(textOf(message)) || alertLines(group, alertText),
    ...severityOf(group),
    state: isFiring ? 'firing' : 'resolved',
    url: textOf(first.panelURL) || textOf(first.dashboardURL) || textOf(first.generatorURL),
    image: textOf(first.imageURL),
    thread: `grafana:${folder}/${name}`,
    collapse: `grafana:${groupKey}`,
    actions: [{ id: 'silence', title: 'Silence', url: isFiring ? textOf(first.silenceURL) : '' }],
  }
}

const annotationText = (alert: Alert, group: AlertGroup): string =>
  lines(textOf(alert.annotations.summary), textOf(alert.annotations.description)) || alertText(alert, group)
