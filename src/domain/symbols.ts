// Which icon of the free set stands for a system symbol. Apple's own drawings may be shown on its devices only, so
// everywhere else the nearest icon of Material Design takes their place.

const SET = 'mdi:'

// Its name in the icon set, or nothing when no icon comes near. `mdi:` names stand for themselves; a symbol that is not
// in the table stands for what is left of it without its last parts: `bolt.fill` for `bolt`.
export function iconOfSymbol(name: string): string | undefined {
  if (name.startsWith(SET)) return name.slice(SET.length)
  const parts = name.split('.')
  for (let length = parts.length; length > 0; length--) {
    const icon = SYMBOL_ICONS.get(parts.slice(0, length).join('.'))
    if (icon) return icon
  }
  return undefined
}

// Names of system symbols and of icons of the set (without their prefix) that contain all words of the search. Those that
// begin with the search come first, then system symbols, then shorter names.
export function searchIconNames(search: string, setNames: readonly string[], most: number): string[] {
  const words = search
    .toLowerCase()
    .split(/[\s._:-]+/)
    .filter(Boolean)
  const symbols = [...SYMBOL_ICONS.keys()]
  if (words.length === 0) return symbols.slice(0, most)
  const matches = (name: string) => words.every((word) => name.includes(word))
  const byIcon = symbols.filter((name) => matches(name) || matches(SYMBOL_ICONS.get(name) ?? ''))
  const found = [...byIcon, ...setNames.filter(matches).map((name) => SET + name)]
  const start = words.join('-')
  const rank = (name: string) => (name.replace(SET, '').startsWith(start) ? 0 : 1)
  const isOfSet = (name: string) => (name.startsWith(SET) ? 1 : 0)
  return found
    .sort((a, b) => rank(a) - rank(b) || isOfSet(a) - isOfSet(b) || a.length - b.length || (a < b ? -1 : 1))
    .slice(0, most)
}

const LINES = `
airplane airplane
airpods earbuds
alarm alarm
antenna.radiowaves.left.and.right antenna
app.badge application-outline
applewatch watch
archivebox archive
arrow.clockwise refresh
arrow.counterclockwise restore
arrow.down arrow-down
arrow.down.circle arrow-down-circle
arrow.left arrow-left
arrow.right arrow-right
arrow.triangle.2.circlepath sync
arrow.triangle.branch source-branch
arrow.triangle.merge source-merge
arrow.triangle.pull source-pull
arrow.up arrow-up
arrow.up.arrow.down swap-vertical
arrow.up.circle arrow-up-circle
arrow.up.right arrow-top-right
backward skip-previous
bag shopping
banknote cash
battery battery
battery.0 battery-outline
battery.25 battery-30
battery.50 battery-50
battery.75 battery-70
battery.100 battery
battery.100.bolt battery-charging
bed.double bed
bell bell
bell.badge bell-badge
bell.slash bell-off
bicycle bicycle
bolt lightning-bolt
bolt.car car-electric
bolt.house home-lightning-bolt
bolt.horizontal flash
bolt.slash flash-off
book book
bookmark bookmark
briefcase briefcase
bubble.left message
bubble.left.and.bubble.right forum
building building
building.2 office-building
building.columns bank
bus bus
calendar calendar
calendar.badge.clock calendar-clock
camera camera
car car
cart cart
chart.bar chart-bar
chart.line.uptrend.xyaxis chart-line
chart.pie chart-pie
checklist format-list-checks
checkmark check
checkmark.circle check-circle
checkmark.seal check-decagram
checkmark.shield shield-check
chevron.down chevron-down
chevron.left chevron-left
chevron.right chevron-right
chevron.up chevron-up
circle circle
clock clock
clock.badge.checkmark clock-check
clock.badge.exclamationmark clock-alert
clock.badge.xmark clock-remove
cloud cloud
cloud.bolt weather-lightning
cloud.fog weather-fog
cloud.rain weather-rainy
cloud.snow weather-snowy
cloud.sun weather-partly-cloudy
cpu cpu-64-bit
creditcard credit-card
cube cube
cup.and.saucer coffee
desktopcomputer desktop-tower-monitor
display monitor
dishwasher dishwasher
doc file-document
doc.text text-box
dollarsign currency-usd
door.garage.closed garage
door.garage.open garage-open
door.left.hand.closed door-closed
door.left.hand.open door-open
drop water
ellipsis dots-horizontal
envelope email
eurosign currency-eur
ev.charger ev-station
exclamationmark exclamation
exclamationmark.circle alert-circle
exclamationmark.octagon alert-octagon
exclamationmark.shield shield-alert
exclamationmark.triangle alert
externaldrive harddisk
eye eye
eye.slash eye-off
fan fan
figure.run run
figure.walk walk
flag flag
flag.checkered flag-checkered
flame fire
folder folder
fork.knife silverware-fork-knife
forward skip-next
fuelpump gas-station
gamecontroller gamepad-variant
gauge gauge
gear cog
gearshape cog
gift gift
globe earth
graduationcap school
hammer hammer
hand.raised hand-back-right
hand.thumbsdown thumb-down
hand.thumbsup thumb-up
hare rabbit
headphones headphones
heart heart
heater.vertical radiator
homepod speaker
hourglass timer-sand
house home
humidity water-percent
info information-variant
info.circle information
internaldrive harddisk
ipad tablet
iphone cellphone
key key
keyboard keyboard
lamp.table lamp
laptopcomputer laptop
leaf leaf
light.beacon.max alarm-light
lightbulb lightbulb
link link
list.bullet format-list-bulleted
location map-marker
lock lock
lock.open lock-open
lock.shield shield-lock
macbook laptop
magnifyingglass magnify
map map
memorychip memory
mic microphone
mic.slash microphone-off
minus minus
minus.circle minus-circle
moon weather-night
music.note music-note
network lan
newspaper newspaper
nosign cancel
number pound
oven stove
paperclip paperclip
paperplane send
parkingsign parking
pause pause
pawprint paw
pencil pencil
person account
person.2 account-multiple
person.3 account-group
phone phone
photo image
pill pill
pin pin
play play
play.circle play-circle
playpause play-pause
plus plus
plus.circle plus-circle
power power
powerplug power-plug
printer printer
qrcode qrcode
questionmark help
questionmark.circle help-circle
radio radio
refrigerator fridge
repeat repeat
rocket rocket-launch
robot robot-vacuum
scissors content-cut
server.rack server
shield shield
shippingbox package-variant-closed
shower shower
shuffle shuffle
snowflake snowflake
solarpanel solar-panel
sparkles creation
speaker speaker
speaker.slash volume-off
speaker.wave.1 volume-low
speaker.wave.2 volume-medium
speaker.wave.3 volume-high
sprinkler sprinkler
square square
star star
stop stop
stopwatch timer
sun.max weather-sunny
sunrise weather-sunset-up
sunset weather-sunset-down
tag tag
target target
terminal console
testtube.2 test-tube
thermometer thermometer
thermometer.high thermometer-high
thermometer.low thermometer-low
thermometer.snowflake snowflake-thermometer
thermometer.sun sun-thermometer
timer timer
tortoise tortoise
train.side.front.car train
tram tram
trash trash-can
tray inbox
trophy trophy
truck.box truck
tshirt tshirt-crew
tv television
umbrella umbrella
video video
washer washing-machine
water.waves waves
wifi wifi
wifi.exclamationmark wifi-alert
wifi.slash wifi-off
wind weather-windy
wrench wrench
wrench.and.screwdriver tools
xmark close
xmark.circle close-circle
xmark.octagon close-octagon
xmark.seal close-octagon
xmark.shield shield-off
`

export const SYMBOL_ICONS: ReadonlyMap<string, string> = new Map(
  LINES.trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string]),
)
