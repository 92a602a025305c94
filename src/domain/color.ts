// Colours: a name in any case, or 6 or 8 hex digits.
import type { Violation } from '../contract/problems.ts'

const NAMED_COLORS = new Map([
  ['red', '#FF3B30'],
  ['orange', '#FF9500'],
  ['yellow', '#FFCC00'],
  ['green', '#34C759'],
  ['blue', '#007AFF'],
  ['purple', '#AF52DE'],
  ['pink', '#FF2D55'],
  ['indigo', '#5856D6'],
  ['teal', '#5AC8FA'],
  ['cyan', '#32ADE6'],
  ['mint', '#00C7BE'],
  ['brown', '#A2845E'],
])

export const COLOR_NAMES = [...NAMED_COLORS.keys()]

const HEX = /^#?([0-9a-f]{6}|[0-9a-f]{8})$/i
const MESSAGE = `must be 6 or 8 hex digits, or one of ${COLOR_NAMES.join(', ')}`

// Absent and "" both mean that no colour is set.
export function colorViolations(location: string, color: string | undefined): Violation[] {
  if (color === undefined || color === '' || colorHex(color)) return []
  return [{ location, message: MESSAGE }]
}

// #RRGGBB or #RRGGBBAA in upper case; undefined if the text is not a colour.
export function colorHex(color: string): string | undefined {
  const digits = HEX.exec(color)?.[1]
  return digits ? `#${digits.toUpperCase()}` : NAMED_COLORS.get(color.toLowerCase())
}
