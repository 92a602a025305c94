// A storm shield, named by the id of the key or the hook that it belongs to.

export type ShieldId = string
export type Shield = { id: ShieldId; pushesPerMinute: number }
