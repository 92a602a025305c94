// A group of alerts, as Alertmanager and Grafana send it.
import { createHash } from 'node:crypto'
import { highest, levelOfSeverity } from '../levels.ts'
import { joined, lines, listOf, type Members, membersOf, textOf } from '../members.ts'
import type { Level } from '../message.ts'

export type Alert = Members & { isFiring: boolean; labels: Members; annotations: Members }

export type AlertGroup = {
  isFiring: boolean
  alerts: Alert[]
  groupLabels: Members
  commonLabels: Members
  commonAnnotations: Members
  groupKey: string
  truncated: number
}

// Undefined if it is none.
export function readAlertGroup(json: unknown): AlertGroup | undefined {
  const group = membersOf(json)
  if (!Array.isArray(group.alerts)) return undefined
  const alerts = group.alerts.map((one): Alert => {
    const alert = membersOf(one)
    const isFiring = textOf(alert.status) !== 'resolved'
    return { ...alert, isFiring, labels: membersOf(alert.labels), annotations: membersOf(alert.annotations) }
  })
  return {
    isFiring: textOf(group.status) !== 'resolved' && textOf(group.state) !== 'ok',
    alerts,
    groupLabels: firstMembers(membersOf(group.groupLabels)),
    commonLabels: membersOf(group.commonLabels ?? (alerts.length === 1 ? alerts[0]?.labels : undefined)),
    commonAnnotations: membersOf(group.commonAnnotations),
    groupKey: textOf(group.groupKey) || JSON.stringify(group.groupLabels ?? alerts.map(({ labels }) => labels)),
    truncated: Number(group.truncatedAlerts) || 0,
  }
}

const MOST_LABELS = 100

const firstMembers = (members: Members): Members => Object.fromEntries(Object.entries(members).slice(0, MOST_LABELS))

export function severityOf({ commonLabels, alerts }: AlertGroup): { severity?: string; level: Level } {
  const common = textOf(commonLabels.severity)
  const all = common ? [common] : alerts.filter(({ isFiring }) => isFiring).map(({ labels }) => textOf(labels.severity))
  const level = highest(all.map(levelOfSeverity))
  return { severity: all.find((severity) => levelOfSeverity(severity) === level) || undefined, level }
}

const MOST_ALERTS = 10

// One line per alert, those that still fire first.
export function alertLines(group: AlertGroup, textOfAlert: (alert: Alert, group: AlertGroup) => string): string {
  const { alerts, isFiring, truncated } = group
  const [firing, resolved] = [alerts.filter((one) => one.isFiring), alerts.filter((one) => !one.isFiring)]
  const shown = [...firing, ...resolved].slice(0, MOST_ALERTS).map((alert) => {
    const text = textOfAlert(alert, group)
    return isFiring && !alert.isFiring ? `Resolved: ${text}` : text
  })
  const left = alerts.length - shown.length + truncated
  return lines(...shown, left > 0 && `+${left}`)
}

// The text of an alert: its annotations, or else the labels in which it differs from the others.
export const alertText = ({ labels, annotations }: Alert, { commonLabels }: AlertGroup): string =>
  textOf(annotations.summary) ||
  textOf(annotations.description) ||
  textOf(annotations.message) ||
  labelText(labels, ([name]) => !Object.hasOwn(commonLabels, name)) ||
  labelText(labels, ([name]) => name !== 'alertname')

const labelText = (labels: Members, isShown: (entry: [string, unknown]) => boolean): string =>
  joined(
    ', ',
    ...Object.entries(labels)
      .filter(isShown)
      .slice(0, MOST_ALERTS)
      .map(([name, value]) => `${name}=${textOf(value)}`),
  )

export const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

// An annotation that all alerts have, or the only one.
export const annotationOf = ({ commonAnnotations, alerts }: AlertGroup, name: string): string =>
  textOf(commonAnnotations[name]) || textOf(listOf(alerts).length === 1 ? alerts[0]?.annotations[name] : '')
