// The doors by name, for the settings, which load no schemas.
export { DOOR_NAMES, type DoorName } from '../../contract/keys/doors.ts'
