// A card on paper: the colours that its sender chose become those that the display has.
import type { Colors } from '../../../src/domain/screens/picture.ts'
import type { Element } from './elements.ts'
import { inkFor } from './palettes.ts'

// The properties that a card with its own ground sets; paper has white ground and ignores them.
const OF_GROUND = ['--card', '--ink', '--ink-soft', '--tint-ink', '--tint-soft', 'colorScheme']

export const onPaper = (children: (Element | string)[], colors: Colors): (Element | string)[] =>
  children.map((child) => {
    if (typeof child === 'string') return child
    const { style, children: inside = [], ...props } = child.props
    const kept = Object.entries((style ?? {}) as Record<string, string>).filter(([name]) => !OF_GROUND.includes(name))
    const inked = kept.map(([name, value]) => [name, name === '--tint' ? inkFor(colors, value) : value])
    return { ...child, props: { ...props, style: Object.fromEntries(inked), children: onPaper(inside, colors) } }
  })
