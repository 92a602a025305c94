// Battery template: the charge of several devices.
import type { WidgetContent } from '../../../../src/contract/widgets.ts'
import { formatPercent } from '../../../../src/domain/screens/format.ts'
import { cssColor } from '../color.ts'
import { Glyph } from '../glyph.tsx'
import { Bar, Ring } from '../shapes.tsx'
import { useViewer } from '../surroundings.ts'
import type { FaceProps, WidgetFace } from './face.ts'

type Device = NonNullable<WidgetContent['devices']>[number]

const LOW_PERCENT = 20

function Body({ content: { devices = [] }, family }: FaceProps) {
  if (family === 'large') {
    return (
      <ul class="battery-list">
        {devices.map((device) => (
          <li key={device.name} style={tintOf(device)}>
            <Glyph name={device.icon || 'battery.100'} />
            <span class="battery-name">{device.name}</span>
            <Level device={device} />
            <Bar fraction={device.level / 100} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <ul class="battery-rings">
      {devices.slice(0, 4).map((device) => (
        <li key={device.name} style={tintOf(device)}>
          <Ring fraction={device.level / 100} thickness={11}>
            <Glyph name={device.icon || 'battery.100'} />
          </Ring>
          <span class={family === 'small' ? 'hidden' : 'battery-name'}>{device.name}</span>
          <Level device={device} />
        </li>
      ))}
    </ul>
  )
}

function Level({ device: { level, charging } }: { device: Device }) {
  const { words } = useViewer()
  return (
    <span class="battery-level">
      {charging && <Glyph name="bolt" />}
      {formatPercent(level / 100)}
      {charging && <span class="hidden"> {words.charging}</span>}
    </span>
  )
}

function tintOf({ color, level }: Device): Record<string, string> {
  const tint = cssColor(color) ?? (level <= LOW_PERCENT ? cssColor('red') : undefined)
  return tint ? { '--tint': tint } : {}
}

export const battery: WidgetFace = { Body }
