// The types of self-signed.mjs.

export type SelfSigned = { key: string; cert: string }

export function selfSigned(): SelfSigned
