// List template: named values.
import { withUnit } from '../format.ts'
import type { FaceProps, HomeFamily, WidgetFace } from './face.ts'
import { Rows, rowText } from './rows.tsx'

const ROOM_FOR: Record<HomeFamily, number> = { small: 3, medium: 3, large: 6 }

function Body({ content: { stat_rows = [] }, family }: FaceProps) {
  return <Rows rows={stat_rows.slice(0, ROOM_FOR[family])} />
}

export const statList: WidgetFace = {
  color: 'indigo',
  Body,
  glance: ({ stat_rows: [first, second] = [] }) => ({
    text: first ? withUnit(rowText(first), first.unit) : '–',
    ...(second && { detail: `${second.label} ${withUnit(rowText(second), second.unit)}` }),
  }),
}
