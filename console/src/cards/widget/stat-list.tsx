// List template: named values.
import type { FaceProps, WidgetFace } from './face.ts'
import { Rows } from './rows.tsx'

const ROOM_FOR: Record<FaceProps['family'], number> = { small: 3, medium: 3, large: 6 }

function Body({ content: { stat_rows = [] }, family }: FaceProps) {
  return <Rows rows={stat_rows.slice(0, ROOM_FOR[family])} />
}

export const statList: WidgetFace = { Body }
