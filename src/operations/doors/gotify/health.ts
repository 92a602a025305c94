// The state of the database, as Gotify reports its health.
import type { Context } from '../../context.ts'

export const isDatabaseWell = ({ db }: Context): boolean => db.trouble() === undefined
