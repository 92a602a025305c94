// The icons of Material Design by name. The file has 3 MB, so it is read at the first request.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

type IconSet = { icons: Record<string, { body: string }>; aliases: Record<string, { parent: string }> }

let loaded: Promise<IconSet> | undefined

// Returns SVG elements on a grid of 24, or undefined for an unknown icon.
export async function drawingOf(icon: string): Promise<string | undefined> {
  const { icons, aliases } = await iconSet()
  // Names such as `constructor` find members of Object.prototype, which have neither a parent nor a body.
  return icons[aliases[icon]?.parent ?? icon]?.body
}

export async function iconNames(): Promise<string[]> {
  return Object.keys((await iconSet()).icons)
}

function iconSet(): Promise<IconSet> {
  loaded ??= readIcons().catch((error) => {
    // Do not memoize a failure.
    loaded = undefined
    throw error
  })
  return loaded
}

async function readIcons(): Promise<IconSet> {
  return JSON.parse(await readFile(createRequire(import.meta.url).resolve('@iconify-json/mdi/icons.json'), 'utf8'))
}
