// Trend template: a number and its history as a sparkline.
import { useId } from 'preact/hooks'
import type { WidgetContent } from '../../../../src/contract/widgets.ts'
import { valueText } from '../../../../src/domain/screens/widget-glance.ts'
import { areaPath, boundsOf, linearScale, type Point, smoothPath } from '../chart.ts'
import { Figure } from '../shapes.tsx'
import { useViewer } from '../surroundings.ts'
import type { FaceProps, WidgetFace } from './face.ts'
import { TrendArrow } from './value.tsx'

const SIZES: Record<FaceProps['family'], { width: number; height: number }> = {
  small: { width: 126, height: 44 },
  medium: { width: 306, height: 44 },
  large: { width: 306, height: 190 },
}
const WIDE = { width: 679, height: 180 }

function Body({ content, family, isWide }: FaceProps) {
  const { unit, trend, points = [] } = content
  return (
    <div class="face-trend">
      <Figure text={valueText(content, useViewer())} unit={unit}>
        {trend && family !== 'small' && <TrendArrow trend={trend} />}
      </Figure>
      <Sparkline content={content} points={points} {...(isWide ? WIDE : SIZES[family])} />
    </div>
  )
}

type SparklineProps = { content: WidgetContent; points: number[]; width: number; height: number }

function Sparkline({ content, points, width, height }: SparklineProps) {
  const shade = useId()
  const [low, high] = boundsOf(points)
  const y = linearScale([content.min_value ?? low, content.max_value ?? high], [height - 5, 5])
  const x = linearScale([0, points.length - 1], [2, width - 6])
  const places: Point[] = points.map((value, index) => ({ x: x(index), y: y(value) }))
  const line = smoothPath(places)
  const last = places.at(-1)
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <defs>
        <linearGradient id={shade} x1="0" y1="0" x2="0" y2="1">
          <stop class="shade-top" offset="0" />
          <stop class="shade-bottom" offset="1" />
        </linearGradient>
      </defs>
      <path d={areaPath(line, places, height)} fill={`url(#${shade})`} />
      <path class="line" d={line} />
      {last && <circle class="line-end" cx={last.x} cy={last.y} r="3.5" />}
    </svg>
  )
}

export const trend: WidgetFace = { Body }
