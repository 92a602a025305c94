// The levels of notifications, from the one that disturbs least to the one that disturbs most.
import { NOTIFICATION_LEVELS } from '../../contract/notification.ts'

export type Level = (typeof NOTIFICATION_LEVELS)[number]

export const rankOf = (level: Level): number => NOTIFICATION_LEVELS.indexOf(level)
export const levelOf = (rank: number): Level => NOTIFICATION_LEVELS[rank] ?? 'active'
