// What a request changes on the style sheets of cards: the ground, the corners, and what of the card is drawn.
import type { PictureTask } from '../../../src/domain/screens/picture.ts'
import ink from './ink.css?inline'
import tint from './tint.css?inline'

const LAYERS = { all: '', ink, tint, icon: ink }

// A picture that others put together with their own ground has no ground.
const NO_GROUND = `
.widget, .activity, .island, .accessory-disc { background: transparent !important; }
.island { color: var(--ink); }`

const onColor = (color: string) => `.accessory, .island { background: ${color}; color: var(--ink); }`

const SQUARE = '.widget, .activity, .island { border-radius: 0; }'
const HOLE = '[data-ticks], [data-ticks] * { color: transparent !important; }'

export function variationOf({ background, corners, layer, hasHole }: PictureTask): string {
  return [
    background === 'none' || layer !== 'all' ? NO_GROUND : '',
    background.startsWith('#') ? onColor(background) : '',
    corners === 'square' ? SQUARE : '',
    LAYERS[layer],
    hasHole ? HOLE : '',
  ].join('\n')
}
