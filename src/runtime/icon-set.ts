// The drawings of icons by name. The file of the set has 3 MB, so it is read when the first icon is wanted.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { iconOfSymbol } from '../domain/symbols.ts'

// The icon for unknown names: a rounded square.
export const NEUTRAL =
  '<path fill="none" stroke="currentColor" stroke-width="2" d="M8 4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z"/>'

type IconSet = { icons: Record<string, { body: string }>; aliases: Record<string, { parent: string }> }

let iconSet: Promise<IconSet> | undefined

function loadIconSet(): Promise<IconSet> {
  iconSet ??= readFile(createRequire(import.meta.url).resolve('@iconify-json/mdi/icons.json'), 'utf8').then(JSON.parse)
  return iconSet
}

// SVG elements on a grid of 24, or undefined for an unknown icon.
export async function drawingOfName(name: string): Promise<string | undefined> {
  const icon = iconOfSymbol(name)
  if (icon === undefined) return undefined
  const { icons, aliases } = await loadIconSet()
  // Names such as `constructor` find members of Object.prototype, which have neither a parent nor a body.
  return icons[aliases[icon]?.parent ?? icon]?.body
}

export async function iconNames(): Promise<string[]> {
  return Object.keys((await loadIconSet()).icons)
}
