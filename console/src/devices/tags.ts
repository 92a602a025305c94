// The tags of a device as a text that a person edits. Tags of organizations contain no comma, but may contain spaces.

export const parseTags = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]

export const withTag = (text: string, tag: string): string => [...parseTags(text), tag].join(', ')
