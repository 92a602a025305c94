// Drawn parts that several templates share. They are decoration: the same figures are next to them as text.
import type { ComponentChildren } from 'preact'
import { arcPath } from './chart.ts'

const CENTER = { x: 50, y: 50 }
const GAUGE_ARC = [-120, 120] as const

type DialProps = { fraction: number; children?: ComponentChildren; thickness?: number }

// A circle that fills clockwise.
export function Ring({ fraction, children, thickness = 10 }: DialProps) {
  const radius = 50 - thickness / 2
  return (
    <span class="dial">
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle class="dial-track" cx="50" cy="50" r={radius} {...stroke(thickness)} />
        {fraction > 0 && (
          <circle
            class="dial-fill"
            cx="50"
            cy="50"
            r={radius}
            transform="rotate(-90 50 50)"
            {...stroke(thickness, 2 * Math.PI * radius, fraction)}
          />
        )}
      </svg>
      <span class="dial-inside">{children}</span>
    </span>
  )
}

// A dial that is open at the bottom, with a knob at the value.
export function Gauge({ fraction, children, thickness = 9 }: DialProps) {
  // The knob is 2 wider than the arc on each side.
  const radius = 50 - thickness / 2 - 2
  const [from, to] = GAUGE_ARC
  const angle = ((from + (to - from) * fraction - 90) * Math.PI) / 180
  const arc = arcPath(CENTER, radius, GAUGE_ARC)
  const length = ((to - from) / 180) * Math.PI * radius
  return (
    <span class="dial dial-gauge">
      <svg viewBox="0 0 100 82" aria-hidden="true">
        <path class="dial-track" d={arc} {...stroke(thickness)} />
        {fraction > 0 && <path class="dial-fill" d={arc} {...stroke(thickness, length, fraction)} />}
        <circle
          class="dial-knob"
          cx={50 + radius * Math.cos(angle)}
          cy={50 + radius * Math.sin(angle)}
          r={thickness / 2 + 0.5}
        />
      </svg>
      <span class="dial-inside">{children}</span>
    </span>
  )
}

// As attributes in real units: pictures are drawn by a library that ignores `pathLength` and what an <svg> inherits from CSS.
const stroke = (thickness: number, length = 0, fraction = 1) => ({
  fill: 'none',
  'stroke-width': thickness,
  'stroke-linecap': 'round' as const,
  ...(fraction < 1 && { 'stroke-dasharray': `${fraction * length} ${2 * length}` }),
})

export function Bar({ fraction }: { fraction: number }) {
  return (
    <span class="track" aria-hidden="true">
      <span style={{ width: `${fraction * 100}%` }} />
    </span>
  )
}

// The font size depends on the length of the text, and of a unit that is longer than most.
const LENGTHS: [chars: number, length: string][] = [
  [4, 'short'],
  [7, 'middle'],
  [11, 'long'],
]

// Marks a text that runs. A picture can leave its place empty for a timer of the program that shows it. `line` is the height of a line
// in the size of the font.
export const ticks = (date: number, line: number, align: 'start' | 'center' = 'start') => ({
  'data-ticks': new Date(date).toISOString(),
  'data-line': line,
  'data-align': align,
})

const lengthOf = (text: string, unit = ''): string => {
  const chars = text.length + Math.max(0, unit.length - 3)
  return LENGTHS.find(([most]) => chars <= most)?.[1] ?? 'huge'
}

type FigureProps = { text: string; unit?: string; children?: ComponentChildren; marks?: ReturnType<typeof ticks> }

// A large number with its unit.
export function Figure({ text, unit, children, marks }: FigureProps) {
  return (
    <span class="figure" data-length={lengthOf(text, unit)} {...marks}>
      {text}
      {unit && <small>{unit}</small>}
      {children}
    </span>
  )
}
