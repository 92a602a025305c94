// An SVG with a light and a dark drawing. The program that shows it chooses the one of its own theme.

const STYLE =
  '<style>.dark{display:none}@media (prefers-color-scheme:dark){.light{display:none}.dark{display:inline}}</style>'

export function inBothThemes(light: string, dark: string): string {
  const head = /^<svg [^>]*><title>[^<]*<\/title>/.exec(light)?.[0] ?? ''
  const inside = (svg: string) => svg.replace(/^<svg [^>]*><title>[^<]*<\/title>/, '').replace(/<\/svg>$/, '')
  return `${head}${STYLE}<g class="light">${inside(light)}</g><g class="dark">${withOwnIds(inside(dark))}</g></svg>`
}

// The two drawings name their masks alike.
const withOwnIds = (svg: string): string => svg.replace(/( id="|url\(#| href="#)/g, (begin) => `${begin}dark-`)
