// Flow template: rates between nodes that meet in the middle, such as the power flow of a house.
import { formatNumber, formatPercent, withUnit } from '../../../../src/domain/screens/format.ts'
import { Glyph } from '../glyph.tsx'
import { useViewer } from '../surroundings.ts'
import type { FaceProps, WidgetFace } from './face.ts'
import type { FlowNode } from './flow-nodes.ts'
import { nodesOf } from './flow-nodes.ts'

function Body({ content: { flow = {}, unit }, family }: FaceProps) {
  const viewer = useViewer()
  const nodes = nodesOf(flow, viewer.words)
  return (
    <div class={`face-flow face-flow-${family}`}>
      {family !== 'small' && <Diagram nodes={nodes} isLarge={family === 'large'} unit={unit} />}
      {family !== 'large' && (
        <ul class="flow-list">
          {nodes.slice(0, family === 'small' ? 3 : 4).map((node) => (
            <li key={node.key} style={{ '--tint': node.color }}>
              <Glyph name={node.icon} />
              <span class="flow-name">{node.name}</span>
              <span class="flow-rate">{withUnit(formatNumber(viewer, Math.abs(node.rate)), unit)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type DiagramProps = { nodes: FlowNode[]; isLarge: boolean; unit?: string }

// In the large family the nodes move towards the middle, to make room for the labels above and below.
const LABEL_ROOM = 0.72

function Diagram({ nodes, isLarge, unit }: DiagramProps) {
  const placed = nodes.map(({ place: { x, y }, ...node }) => ({
    ...node,
    x,
    y: isLarge ? 50 + (y - 50) * LABEL_ROOM : y,
  }))
  return (
    <div class="flow">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {placed.map(({ key, x, y, rate, isInward, color }) => (
          <g key={key} style={{ '--tint': color }}>
            <path class="flow-pipe" d={`M${x} ${y}Q${x} 50 50 50`} />
            {rate !== 0 && (
              <path class={isInward ? 'flow-stream' : 'flow-stream flow-outward'} d={`M${x} ${y}Q${x} 50 50 50`} />
            )}
          </g>
        ))}
      </svg>
      {placed.map(({ key, x, y, color, icon, ...node }) => (
        <div
          key={key}
          class={y < 50 ? 'flow-node flow-above' : 'flow-node'}
          style={{ '--tint': color, left: `${x}%`, top: `${y}%` }}
        >
          <span class="flow-medal">
            <Glyph name={icon} />
          </span>
          {isLarge && <Words {...node} unit={unit} />}
        </div>
      ))}
    </div>
  )
}

type WordsProps = Pick<FlowNode, 'name' | 'rate' | 'level'> & { unit?: string }

function Words({ name, rate, level, unit }: WordsProps) {
  const viewer = useViewer()
  return (
    <span class="flow-words">
      <span class="flow-name">{level === undefined ? name : `${name} ${formatPercent(level / 100)}`}</span>
      <span class="flow-rate">{withUnit(formatNumber(viewer, Math.abs(rate)), unit)}</span>
    </span>
  )
}

export const flow: WidgetFace = { Body }
