// The HTML of a card as a tree of elements, as satori takes it. It reads what preact-render-to-string writes, and the paths of icons.

export type Element = { type: string; props: Record<string, unknown> & { children?: Child[] } }
export type Child = Element | string

const TOKEN = /<(\/?)([\w-]+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>|([^<]+)/g
const ATTRIBUTE = /([\w:-]+)(?:="([^"]*)")?/g
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

export function elementsOf(html: string): Child[] {
  const top: Element = { type: 'div', props: { children: [] } }
  const open = [top]
  for (const [, end, name = '', attributes = '', isEmpty, text] of html.matchAll(TOKEN)) {
    const children = open.at(-1)?.props.children ?? []
    if (text !== undefined) children.push(drawable(decoded(text)))
    else if (end) open.pop()
    else {
      const element: Element = { type: name, props: { ...propsOf(attributes), children: [] } }
      children.push(element)
      if (!isEmpty) open.push(element)
    }
  }
  return top.props.children ?? []
}

function propsOf(attributes: string): Record<string, unknown> {
  const all = [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, decoded(value)] as const)
  return Object.fromEntries(
    all.map(([name, value]) => {
      if (name === 'class') return ['className', value]
      return name === 'style' ? [name, styleOf(value)] : [name, value]
    }),
  )
}

// Custom properties keep their names.
function styleOf(text: string): Record<string, string> {
  const declarations = text.split(';').map((one) => one.split(/:(.*)/s) as [string, string?])
  return Object.fromEntries(
    declarations.flatMap(([name, value]) => (value === undefined ? [] : [[propertyOf(name.trim()), value.trim()]])),
  )
}

const propertyOf = (name: string): string =>
  name.startsWith('--') ? name : name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

// What could turn the order of a text or hide a part of it is dropped, and so are marks beyond four on a letter, which would cover its
// neighbours. A key with a digit is the digit.
const drawable = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/([0-9#*])\ufe0f?\u20e3/g, '$1')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')

const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
