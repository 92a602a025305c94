// The code of a browser that asks to be signed in, as both screens show it: "K7QW2M" → "K7Q-W2M".
export const requestCodeInGroups = (code: string): string => `${code.slice(0, 3)}-${code.slice(3)}`
