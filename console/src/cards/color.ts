// Colours of a card. A card with a background colour chooses light or dark by it, independent of the theme of the page.
import { colorHex } from '../../../src/domain/color.ts'
import { chosenAccent } from '../../../src/domain/screens/looks.ts'

export type Severity = 'info' | 'warning' | 'critical' | 'success'

export const cssColor = (color: string | undefined): string | undefined => (color ? colorHex(color) : undefined)

type Colored = {
  accent_color?: string
  background_color?: string
  text_color?: string
  severity?: Severity | ''
}

// Returns CSS custom properties for the card; everything drawn in it uses them.
export function cardStyle(content: Colored, templateColor: string): Record<string, string> {
  const accent = chosenAccent(content)
  const background = cssColor(content.background_color)
  const text = cssColor(content.text_color)
  return {
    '--tint': accent ?? cssColor(templateColor) ?? '',
    ...(background && onBackground(background, accent)),
    ...(text && { '--ink': text, '--ink-soft': text }),
  }
}

// Text is black or white, whichever has contrast. Softer text colours and default accents might not have enough.
function onBackground(background: string, accent: string | undefined): Record<string, string> {
  const scheme = schemeOn(background)
  if (scheme === 'inherit') return { '--card': background }
  const [ink, veil] = scheme === 'light' ? ['#000', '#ffffff4d'] : ['#fff', '#0000004d']
  return {
    colorScheme: scheme,
    '--card': background,
    '--tint': accent ?? ink,
    '--ink': ink,
    '--ink-soft': ink,
    '--tint-ink': ink,
    '--tint-soft': veil,
  }
}

// The colour scheme whose text is readable on this background. A mostly transparent one inherits the scheme of the page.
export function schemeOn(hex: string): 'light' | 'dark' | 'inherit' {
  const [red = 0, green = 0, blue = 0, alpha = 255] = (hex.slice(1).match(/../g) ?? []).map((part) =>
    parseInt(part, 16),
  )
  if (alpha < 128) return 'inherit'
  const linear = (part: number) => ((part / 255 + 0.055) / 1.055) ** 2.4
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) > 0.18 ? 'light' : 'dark'
}
