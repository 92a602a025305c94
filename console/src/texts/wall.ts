// Texts of the wall and of the page that arranges it.
import { translated } from '../language.ts'

export const ENGLISH = {
  title: 'Wall',
  open: 'Open the wall',
  arrange: 'Arrange',
  arrangeTitle: 'Arrange the wall',
  intro: 'All widgets on one screen, for example on a tablet. The order and the sizes are the same on every screen.',
  fullScreen: 'Full screen',
  empty: 'There is no widget yet.',
  revoked: 'This link no longer works.',
  unreadable: 'The widgets cannot be loaded just now.',
  order: 'Order and sizes',
  clock: 'Show the time',
  sizes: { small: 'Small', medium: 'Medium', large: 'Large' },
  sizeOf: (name: string) => `Size of ${name}`,
  moveUp: (name: string) => `Move ${name} up`,
  moveDown: (name: string) => `Move ${name} down`,
  links: 'Links for screens',
  linksHint:
    'A link shows the wall without signing in. Everyone who has it sees your widgets, and nothing else, until you revoke it.',
  noLinks: 'There is no link yet.',
  linkName: 'Where is it shown?',
  linkPlaceholder: 'Tablet in the kitchen',
  makeLink: 'Make a link',
  made: (name: string) => `The link for “${name}” is shown once. Open it on that screen:`,
  done: 'Done',
  madeAt: 'made',
  unnamed: 'Widget token of an operator',
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke the link of “${name}”?`,
  revokeText: 'The screen that shows it is disconnected at once.',
}

export const WALL_TEXTS = translated('wall', ENGLISH)
