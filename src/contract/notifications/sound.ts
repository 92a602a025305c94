// The sound of a notification: one of our names, or that of a sound which the person has in the app.
import { Type } from 'typebox'
import { SOUNDS } from '../activities.ts'

export const Sound = Type.String({
  pattern: `^$|^(${[...SOUNDS, 'siren', 'none'].join('|')}|file:[A-Za-z0-9_-]{1,64})$`,
  description: 'one of the names, or file: and the name of a sound in the app',
})
