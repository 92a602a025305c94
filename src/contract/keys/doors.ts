// Doors: interfaces of other notification services that senders of those services use unchanged. Apart from the schemas, because
// the command line loads no library for them.
export const DOOR_NAMES = ['ntfy', 'gotify', 'pushover', 'bark', 'hooks', 'trmnl'] as const
export type DoorName = (typeof DOOR_NAMES)[number]

// The doors whose senders check the form of a token, so that a key can have tokens in that form.
export const ALIAS_DOORS = ['ntfy', 'gotify', 'pushover', 'bark'] as const
export type AliasDoor = (typeof ALIAS_DOORS)[number]
