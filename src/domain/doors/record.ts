// What a message that came through a door said beyond our own fields. It is kept beside the notification, so that apps of
// the same family get the message back unchanged.
import { DOOR_NAMES, type DoorName } from '../../contract/doors/door.ts'

export { DOOR_NAMES, type DoorName }

export type DoorRecord = {
  door: DoorName
  // The topic, the application or the hook it was sent to.
  channel: string
  // By which the sender updates, clears or deletes the message later, within the channel.
  sequence?: string
  // The message in the sender's own words, such as its priority, tags and actions.
  message: Record<string, unknown>
}
