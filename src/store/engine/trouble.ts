// Why the database cannot store changes: recorded when a change fails, cleared when one is stored again.
import { Problem } from '../../contract/problems.ts'

export type Trouble = 'locked' | 'full' | 'read-only' | 'moved' | 'damaged' | 'failing' | 'unreachable'

type Words = { what: string; whatToDo: string }

const LATER = 'try again shortly'
const WORDS: Record<Trouble, Words> = {
  locked: { what: 'another process holds its write lock', whatToDo: LATER },
  full: { what: 'the disk is full', whatToDo: 'try again when there is room' },
  'read-only': { what: 'it is read-only', whatToDo: 'the operator must make it writable' },
  moved: { what: 'its file was removed or replaced', whatToDo: 'the operator must restart the service' },
  damaged: { what: 'its file is damaged', whatToDo: 'the operator must restore a backup' },
  failing: { what: 'the disk reports errors', whatToDo: LATER },
  unreachable: { what: 'it cannot be reached', whatToDo: LATER },
}

export const describeTrouble = (trouble: Trouble) =>
  `The database cannot be used: ${WORDS[trouble].what}; ${WORDS[trouble].whatToDo}.`

export const unavailable = (trouble: Trouble, cause: unknown) =>
  new Problem('service.unavailable', describeTrouble(trouble), {}, cause)

// Called when changes begin to fail, when the reason changes, and with undefined when a change is stored again.
export type ReportTrouble = (trouble: Trouble | undefined) => void

export type TroubleRecord = {
  current(): Trouble | undefined
  failed(trouble: Trouble): void
  stored(): void
}

// `isOver` is called when a change is stored: on a full disk, one small change may still find room.
export function createTroubleRecord(
  report: ReportTrouble = () => {},
  isOver: (trouble: Trouble) => boolean = () => true,
): TroubleRecord {
  let current: Trouble | undefined

  function become(trouble: Trouble | undefined) {
    // A damaged file may still store changes in its intact pages; it stays damaged.
    if (trouble === current || current === 'damaged') return
    current = trouble
    report(trouble)
  }

  return {
    current: () => current,
    failed: become,
    stored() {
      if (current && isOver(current)) become(undefined)
    },
  }
}
