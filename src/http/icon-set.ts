// The drawings of the icon set. 3 MB that many servers are never asked for: read at the first request.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

type IconSet = { icons: Record<string, { body: string }>; aliases: Record<string, { parent: string }> }

let loaded: Promise<IconSet> | undefined

// The elements of its drawing on a grid of 24, or nothing when the set does not have it.
export async function drawingOf(icon: string): Promise<string | undefined> {
  loaded ??= readIcons().catch((error) => {
    // A file that could not be read now may be readable for the next request.
    loaded = undefined
    throw error
  })
  const { icons, aliases } = await loaded
  // Names such as `constructor` find what every object has; that has neither a parent nor a body.
  return icons[aliases[icon]?.parent ?? icon]?.body
}

async function readIcons(): Promise<IconSet> {
  return JSON.parse(await readFile(createRequire(import.meta.url).resolve('@iconify-json/mdi/icons.json'), 'utf8'))
}
