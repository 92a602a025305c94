// What flows from where to where, such as the power of a house: everything meets in the middle.

import { formatNumber, formatPercent, withUnit } from '../format.ts'
import { Glyph } from '../glyph.tsx'
import type { FaceProps, WidgetFace } from './face.ts'
import type { FlowNode } from './flow-nodes.ts'
import { nodesOf } from './flow-nodes.ts'

function Body({ content: { flow = {}, unit }, family }: FaceProps) {
  const nodes = nodesOf(flow)
  return (
    <div class={`face-flow face-flow-${family}`}>
      {family !== 'small' && <Diagram nodes={nodes} isLarge={family === 'large'} unit={unit} />}
      {family !== 'large' && (
        <ul class="flow-list">
          {nodes.slice(0, family === 'small' ? 3 : 4).map((node) => (
            <li key={node.key} style={{ '--tint': node.color }}>
              <Glyph name={node.icon} />
              <span class="flow-name">{node.name}</span>
              <span class="flow-rate">{withUnit(formatNumber(Math.abs(node.rate)), unit)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type DiagramProps = { nodes: FlowNode[]; isLarge: boolean; unit?: string }

function Diagram({ nodes, isLarge, unit }: DiagramProps) {
  return (
    <div class="flow">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {nodes.map(({ key, place: { x, y }, rate, isInward, color }) => (
          <g key={key} style={{ '--tint': color }}>
            <path class="flow-pipe" d={`M${x} ${y}Q${x} 50 50 50`} />
            {rate !== 0 && (
              <path class={isInward ? 'flow-stream' : 'flow-stream flow-outward'} d={`M${x} ${y}Q${x} 50 50 50`} />
            )}
          </g>
        ))}
      </svg>
      {nodes.map(({ key, place, color, icon, name, rate, level }) => (
        <div key={key} class="flow-node" style={{ '--tint': color, left: `${place.x}%`, top: `${place.y}%` }}>
          <span class="flow-medal">
            <Glyph name={icon} />
          </span>
          {isLarge && (
            <span class="flow-words">
              <span class="flow-name">{name}</span>
              <span class="flow-rate">{withUnit(formatNumber(Math.abs(rate)), unit)}</span>
              {level !== undefined && <span class="flow-name">{formatPercent(level / 100)}</span>}
            </span>
          )}
        </div>
      ))}
    </div>
  )
}

export const flow: WidgetFace = {
  color: 'yellow',
  Body,
  glance: ({ flow: slots = {}, unit }) => {
    const [first] = nodesOf(slots).toReversed()
    const level = slots.storage?.level
    return {
      text: first ? withUnit(formatNumber(Math.abs(first.rate)), unit) : '–',
      ...(first && { detail: first.name }),
      ...(level !== undefined && { fraction: level / 100 }),
    }
  },
}
