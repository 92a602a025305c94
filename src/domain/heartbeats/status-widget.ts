// The widget that shows the status of a heartbeat.
import type { WidgetContent } from '../../contract/widget.ts'
import type { Heartbeat, HeartbeatStatus } from './heartbeat.ts'

type Shown = Required<Pick<WidgetContent, 'label' | 'severity'>>

const SHOWN: Record<HeartbeatStatus, Shown> = {
  new: { label: 'Waiting for the first ping', severity: 'info' },
  up: { label: 'Up', severity: 'success' },
  started: { label: 'Running', severity: 'info' },
  late: { label: 'Late', severity: 'warning' },
  down: { label: 'Down', severity: 'critical' },
  paused: { label: 'Paused', severity: 'info' },
}

export const statusContent = ({ status }: Heartbeat): WidgetContent => ({ template: 'status', ...SHOWN[status] })
