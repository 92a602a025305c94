// The part of the script for Scriptable that is the same for every link. It runs on the phone; LINK, PAGES, FIRST and WORDS are
// above it (scriptable.ts).
export const SCRIPT = String.raw`
// Screens in points: height, then small, medium and large (width and height), circular, rectangular. An unknown screen takes the
// nearest; pictures fill, so a wrong size only scales them a little.
const SCREENS = [
  [956, 170, 364, 382, 76, 172, 76], [932, 170, 364, 382, 76, 172, 76], [926, 170, 364, 382, 76, 172, 76],
  [896, 169, 360, 379, 76, 160, 72], [736, 159, 348, 357, 76, 170, 76], [874, 158, 338, 354, 72, 160, 72],
  [852, 158, 338, 354, 72, 160, 72], [844, 158, 338, 354, 72, 160, 72], [812, 155, 329, 345, 72, 157, 72],
  [780, 155, 329, 345, 72, 157, 72], [667, 148, 321, 324, 68, 153, 68], [568, 141, 292, 311, 68, 153, 68],
]
// And iPads, with extra large.
const PADS = [
  [1366, 170, 378, 378, 795], [1194, 155, 342, 342, 715], [1180, 155, 342, 342, 715], [1080, 146, 320, 320, 669],
  [1024, 141, 305, 305, 634],
]
const FAMILIES = {
  small: 'small', medium: 'medium', large: 'large', extraLarge: 'extra-large',
  accessoryCircular: 'circular', accessoryRectangular: 'rectangular', accessoryInline: 'inline',
}
// iOS drops a widget whose pictures have more pixels together.
const MOST_PIXELS = 700000
const MINUTE = 60000

const files = FileManager.local()
const folder = files.joinPath(files.cacheDirectory(), 'heliograph')
if (!files.fileExists(folder)) files.createDirectory(folder, true)

function sizeOf(family) {
  const screen = Device.screenSize()
  const height = Math.max(screen.width, screen.height)
  const isPad = Math.min(screen.width, screen.height) >= 700
  const nearest = (isPad ? PADS : SCREENS).reduce((a, b) => (Math.abs(b[0] - height) < Math.abs(a[0] - height) ? b : a))
  const [, small, wide, tall, fifth, rectangle, flat] = nearest
  switch (family) {
    case 'small': return [small, small]
    case 'large': return [wide, tall]
    case 'extraLarge': return [isPad ? fifth : 715, isPad ? tall : 342]
    case 'accessoryCircular': return isPad ? [76, 76] : [fifth, fifth]
    case 'accessoryRectangular': return isPad ? [172, 76] : [rectangle, flat]
    default: return [wide, small]
  }
}

function readParameter(text) {
  const [name = FIRST, ...options] = (text || '').trim().split(/\s+/).filter(Boolean)
  const theme = (options.find((one) => one.startsWith('theme=')) || '').slice(6)
  const isActivity = name.startsWith('a:')
  const slug = name.replace(/^[aw]:/, '')
  if (name === 'wall') return { slug, theme, kind: 'wall', path: '/wall' }
  const kind = isActivity ? 'activity' : 'widget'
  return { slug, theme, kind, path: (isActivity ? '/activities/' : '/widgets/') + encodeURIComponent(slug) }
}

// Throws { status, retrySeconds }; the status is 0 if there was no answer.
async function ask(path, as) {
  const request = new Request(LINK + path)
  request.timeoutInterval = 8
  let data
  try {
    data = await request.load()
  } catch (error) {
    throw { status: 0 }
  }
  const { statusCode, headers } = request.response
  if (statusCode !== 200) throw { status: statusCode, retrySeconds: Number(headers['Retry-After'] || headers['retry-after']) }
  return as === 'json' ? JSON.parse(data.toRawString()) : data
}

const query = (values) =>
  '?' + Object.entries(values).filter((one) => one[1] !== '' && one[1] !== undefined).map(([name, value]) => name + '=' + value).join('&')

function scaleFor(width, height, layers) {
  return [3, 2.5, 2, 1.5, 1].find((scale) => layers * Math.ceil(width * scale) * Math.ceil(height * scale) <= MOST_PIXELS) || 1
}

// What to show: the value, and the pictures by their layer.
async function load(what, family) {
  const [width, height] = sizeOf(family)
  const isAccessory = family.startsWith('accessory')
  const frame = { family: what.kind === 'widget' ? FAMILIES[family] : what.kind === 'activity' ? 'card' : '', size: width + 'x' + height }
  const picture = async (more) => ask(what.path + '.png' + query(more))
  if (family === 'accessoryInline') {
    const glance = what.kind === 'wall' ? { text: 'Heliograph' } : await ask(what.path + '.json', 'json')
    if (what.kind === 'wall') return { glance, pictures: {} }
    return { glance, pictures: { icon: await picture({ layer: 'icon', scale: 3 }) } }
  }
  if (what.kind === 'wall') {
    const theme = what.theme || 'light'
    return { glance: {}, pictures: { all: await picture({ size: frame.size, theme, scale: scaleFor(width, height, 1) }) } }
  }
  const hole = isAccessory ? '' : 'timer'
  const glance = await ask(what.path + '.json' + query({ ...frame, hole }), 'json')
  if (isAccessory) return { glance, pictures: { ink: await picture({ ...frame, layer: 'ink', scale: scaleFor(width, height, 1) }) } }
  // A timer ticks above the picture, and a picture below others cannot follow the appearance.
  if (what.theme || glance.hole) {
    const scale = scaleFor(width, height, 1)
    const more = { ...frame, scale, theme: what.theme || 'light', ...(glance.hole && { hole }) }
    return { glance, pictures: { all: await picture(more) } }
  }
  const scale = scaleFor(width, height, 2)
  const [tint, ink] = [await picture({ ...frame, scale, layer: 'tint' }), await picture({ ...frame, scale, layer: 'ink' })]
  return { glance, pictures: { tint, ink } }
}

const fileOf = (key, name) => files.joinPath(folder, encodeURIComponent(key) + '.' + name)

function keep(key, { glance, pictures }) {
  const names = Object.keys(pictures)
  for (const name of names) files.write(fileOf(key, name), pictures[name])
  files.writeString(fileOf(key, 'json'), JSON.stringify({ glance, names, at: Date.now() }))
}

function kept(key) {
  const file = fileOf(key, 'json')
  if (!files.fileExists(file)) return undefined
  try {
    const { glance, names, at } = JSON.parse(files.readString(file))
    return { glance, at, pictures: Object.fromEntries(names.map((name) => [name, files.read(fileOf(key, name))])) }
  } catch (error) {
    return undefined
  }
}

function forget() {
  for (const name of files.listContents(folder)) files.remove(files.joinPath(folder, name))
}

function clock(at) {
  const format = new DateFormatter()
  format.useNoDateStyle()
  format.useShortTimeStyle()
  return format.string(new Date(at))
}

const ground = () => Color.dynamic(new Color('#FFFFFF'), new Color('#1C1C1E'))
const inkColor = () => Color.dynamic(new Color('#000000'), new Color('#FFFFFF'))

function inWords(text) {
  const widget = new ListWidget()
  widget.backgroundColor = ground()
  const line = widget.addText(text)
  line.font = Font.systemFont(12)
  line.textColor = inkColor()
  return widget
}

// 'oldAt': when it was loaded, if the server could not be asked now.
function draw(family, { glance, pictures }, theme, oldAt) {
  const widget = new ListWidget()
  const image = (name) => pictures[name] && Image.fromData(pictures[name])
  if (family === 'accessoryInline') {
    const icon = image('icon')
    if (icon) widget.addImage(icon)
    widget.addText(glance.text)
    return widget
  }
  const [width, full] = sizeOf(family)
  const isAccessory = family.startsWith('accessory')
  const height = oldAt && !isAccessory ? full - 16 : full
  const isAged = oldAt && Date.now() - oldAt > 24 * 60 * MINUTE
  widget.setPadding(0, 0, 0, 0)
  if (isAccessory) widget.addAccessoryWidgetBackground = true
  else widget.backgroundColor = theme ? new Color(theme === 'dark' ? '#1C1C1E' : '#FFFFFF') : glance.hole ? new Color('#FFFFFF') : ground()
  const stack = widget.addStack()
  stack.size = new Size(width, height)
  const tint = image('tint')
  if (tint && !isAged) stack.backgroundImage = tint
  const ink = image('ink') || image('all')
  if (ink && glance.hole) {
    stack.backgroundImage = ink
    addTimer(stack, glance.hole, theme)
  } else if (ink) {
    const shown = stack.addImage(ink)
    shown.imageSize = new Size(width, height)
    if (pictures.ink && !isAccessory) shown.tintColor = inkColor()
    if (isAged) shown.imageOpacity = 0.4
  }
  if (oldAt && !isAccessory) {
    const line = widget.addText(WORDS.asOf + ' ' + clock(oldAt))
    line.font = Font.systemFont(10)
    line.textColor = inkColor()
    line.centerAlignText()
  }
  return widget
}

function addTimer(stack, { x, y, width, height, font_size, align, date }, theme) {
  stack.layoutVertically()
  stack.setPadding(y, x, 0, 0)
  const box = stack.addStack()
  box.size = new Size(width, height)
  const timer = box.addDate(new Date(date))
  timer.applyTimerStyle()
  timer.font = Font.semiboldSystemFont(font_size)
  timer.textColor = new Color(theme === 'dark' ? '#FFFFFF' : '#000000')
  if (align === 'center') timer.centerAlignText()
  else timer.leftAlignText()
}

const soon = (ms) => new Date(Date.now() + ms)

function refreshAfter({ state, valid_until }) {
  if (state === 'ongoing') return soon(2 * MINUTE)
  if (!valid_until) return soon(15 * MINUTE)
  return new Date(Math.max(Date.parse(valid_until), Date.now() + 5 * MINUTE))
}

async function widgetFor(what, family) {
  const key = [what.kind, what.slug, what.theme, family].join(' ')
  const page = PAGES + (what.kind === 'wall' ? '/wall' : what.path)
  try {
    const loaded = await load(what, family)
    keep(key, loaded)
    const widget = draw(family, loaded, what.theme)
    widget.url = loaded.glance.tap || page
    widget.refreshAfterDate = refreshAfter(loaded.glance)
    return widget
  } catch (error) {
    if (error.status === 404) return missing(what)
    const old = kept(key)
    const widget = old ? draw(family, old, what.theme, old.at) : inWords(WORDS.unreachable)
    widget.url = (old && old.glance.tap) || page
    widget.refreshAfterDate = soon(Math.max((error.retrySeconds || 0) * 1000, 5 * MINUTE))
    return widget
  }
}

// The link has ended, or what is named is not in it.
async function missing(what) {
  let isRevoked = false
  try {
    await ask('/widgets.json', 'json')
  } catch (error) {
    isRevoked = error.status === 404
  }
  if (isRevoked) forget()
  const widget = inWords(isRevoked ? WORDS.revoked + ' ' + PAGES : WORDS.nothing + ' ' + what.slug)
  widget.url = PAGES
  widget.refreshAfterDate = soon((isRevoked ? 360 : 15) * MINUTE)
  return widget
}

async function preview() {
  const names = []
  for (const [path, prefix] of [['/widgets.json', ''], ['/activities.json', 'a:']]) {
    try {
      for (const { slug } of (await ask(path, 'json')).items) names.push(prefix + slug)
    } catch (error) {
      // The widget says what is wrong.
    }
  }
  const alert = new Alert()
  alert.title = WORDS.choose
  const shown = names.length > 0 ? names : [FIRST]
  for (const name of shown) alert.addAction(name)
  const index = await alert.presentSheet()
  const widget = await widgetFor(readParameter(shown[index]), 'medium')
  await widget.presentMedium()
}

if (config.runsInWidget || config.runsInAccessoryWidget) {
  Script.setWidget(await widgetFor(readParameter(args.widgetParameter), config.widgetFamily || 'small'))
} else {
  await preview()
}
Script.complete()
`
