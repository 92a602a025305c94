// Codes by which people join, as they read and type them.

const GROUP = 4

// "K7QW2MXD" → "K7QW-2MXD". The server reads codes without regard to case, spaces and hyphens.
export const codeInGroups = (code: string): string => (code.match(new RegExp(`.{1,${GROUP}}`, 'g')) ?? []).join('-')

// The code in a text that a person typed or pasted: a code, or a whole link.
export const codeIn = (text: string): string => /#(?:share|org)=([^&\s]+)/.exec(text)?.[1] ?? text.trim()
