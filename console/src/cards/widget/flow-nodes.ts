// Position and direction of each node of a flow: inputs at the top, exchange at the left, storage at the bottom, output
// at the right. A positive rate flows towards the middle, except for the output.
import type { WidgetContent } from '../../../../src/contract/widgets.ts'
import type { Words } from '../../../../src/domain/screens/words.ts'
import { cssColor } from '../color.ts'

type Flow = NonNullable<WidgetContent['flow']>
type Slot = 'input' | 'exchange' | 'storage' | 'output'
type SentNode = NonNullable<Flow['output']>

export type FlowNode = {
  key: string
  name: string
  icon: string
  color: string
  rate: number
  level?: number
  place: { x: number; y: number }
  isInward: boolean
}

const LOOKS: Record<Slot, { icon: string; color: string; place: { x: number; y: number } }> = {
  input: { icon: 'sun.max', color: 'yellow', place: { x: 50, y: 15 } },
  exchange: { icon: 'mdi:transmission-tower', color: 'blue', place: { x: 16, y: 50 } },
  storage: { icon: 'battery.75', color: 'green', place: { x: 50, y: 85 } },
  output: { icon: 'house', color: 'purple', place: { x: 84, y: 50 } },
}

const INPUT_PLACES = [[50], [32, 68], [20, 50, 80]]

// The output comes last in the list.
export function nodesOf({ inputs = [], exchange, storage, output }: Flow, words: Words): FlowNode[] {
  const across = INPUT_PLACES[inputs.length - 1] ?? []
  return [
    ...inputs.map((node, index) => {
      const drawn = toNode(words, 'input', node, `input-${index}`)
      return { ...drawn, place: { ...drawn.place, x: across[index] ?? 50 } }
    }),
    ...(exchange ? [toNode(words, 'exchange', exchange)] : []),
    ...(storage ? [toNode(words, 'storage', storage)] : []),
    ...(output ? [toNode(words, 'output', output)] : []),
  ]
}

function toNode(words: Words, slot: Slot, node: SentNode, key: string = slot): FlowNode {
  const look = LOOKS[slot]
  return {
    key,
    name: node.name || words.flow[slot],
    icon: node.icon || look.icon,
    color: cssColor(node.color) ?? cssColor(look.color) ?? '',
    rate: node.rate,
    level: node.level,
    place: look.place,
    isInward: slot === 'output' ? node.rate < 0 : node.rate > 0,
  }
}
