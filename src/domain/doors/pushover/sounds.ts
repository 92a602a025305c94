// The sounds of Pushover, by name. Our devices play their own; a few names change how urgent a message is.
export const SOUNDS: Record<string, string> = {
  pushover: 'Pushover (default)',
  bike: 'Bike',
  bugle: 'Bugle',
  cashregister: 'Cash Register',
  classical: 'Classical',
  cosmic: 'Cosmic',
  falling: 'Falling',
  gamelan: 'Gamelan',
  incoming: 'Incoming',
  intermission: 'Intermission',
  magic: 'Magic',
  mechanical: 'Mechanical',
  pianobar: 'Piano Bar',
  siren: 'Siren',
  spacealarm: 'Space Alarm',
  tugboat: 'Tug Boat',
  alien: 'Alien Alarm (long)',
  climb: 'Climb (long)',
  persistent: 'Persistent (long)',
  echo: 'Pushover Echo (long)',
  updown: 'Up Down (long)',
  vibrate: 'Vibrate Only',
  none: 'None (silent)',
}

export const SILENT_SOUND = 'none'
export const ALARM_SOUNDS = ['siren', 'spacealarm', 'persistent']
