// A stand-in of Scriptable, the app for iPhones: the documented classes and members that a widget may use. A member that there is
// not throws, as do pictures with more pixels than iOS shows. It records what the widget is made of.
import { createContext, runInContext } from 'node:vm'

export type Drawn = { type: string; children: Drawn[]; [member: string]: unknown }
export type Phone = {
  // Runs the script as the widget of a family; returns what it shows.
  show(script: string, family: string, parameter?: string): Promise<Drawn>
  files: Map<string, Buffer | string>
  // The addresses that were asked for.
  asked: string[]
}

// What iOS shows at most, in all pictures of a widget.
const MOST_PIXELS = 718_080

const strict = (type: string, members: object): Drawn =>
  new Proxy(Object.assign({ type, children: [] as Drawn[] }, members), {
    get: (target, name) => {
      if (name in target || typeof name === 'symbol' || name === 'then') return Reflect.get(target, name)
      throw new Error(`${type} has no member ${String(name)}`)
    },
    set: (target, name, value) => {
      if (!(name in target)) throw new Error(`${type} has no member ${String(name)}`)
      return Reflect.set(target, name, value)
    },
  }) as Drawn

const text = (type: string, members: object = {}) =>
  strict(type, {
    font: undefined,
    textColor: undefined,
    url: undefined,
    align: 'left',
    centerAlignText(this: Drawn) {
      this.align = 'center'
    },
    leftAlignText(this: Drawn) {
      this.align = 'left'
    },
    ...members,
  })

type Image = { bytes: Buffer; width: number; height: number }

function container(type: string, members: object): Drawn {
  const add = (child: Drawn) => {
    box.children.push(child)
    return child
  }
  const box: Drawn = strict(type, {
    backgroundColor: undefined,
    backgroundImage: undefined,
    url: undefined,
    padding: undefined,
    setPadding: (...padding: number[]) => Object.assign(box, { padding }),
    addText: (words: string) => add(text('text', { text: words })),
    addDate: (date: Date) => {
      const one: Drawn = text('date', {
        date,
        style: 'date',
        applyTimerStyle: () => Object.assign(one, { style: 'timer' }),
      })
      return add(one)
    },
    addImage: (image: Image) =>
      add(strict('image', { image, imageSize: undefined, tintColor: undefined, imageOpacity: 1, url: undefined })),
    addStack: () => add(container('stack', { size: undefined, layoutVertically() {}, layoutHorizontally() {} })),
    ...members,
  })
  return box
}

// `now`: milliseconds since 1970. `online`: whether the phone reaches the server.
export function createPhone(phone: {
  now(): number
  online(): boolean
  screen?: { width: number; height: number }
}): Phone {
  const files = new Map<string, Buffer | string>()
  const asked: string[] = []
  const data = (bytes: Buffer) => ({ bytes, toRawString: () => bytes.toString() })

  class Request {
    timeoutInterval = 60
    response: { statusCode: number; headers: Record<string, string> } | undefined
    readonly url: string
    constructor(url: string) {
      this.url = url
    }
    async load() {
      asked.push(this.url)
      if (!phone.online()) throw new Error('The Internet connection appears to be offline.')
      const response = await fetch(this.url)
      this.response = { statusCode: response.status, headers: Object.fromEntries(response.headers) }
      return data(Buffer.from(await response.arrayBuffer()))
    }
  }

  const manager = {
    cacheDirectory: () => '/cache',
    joinPath: (a: string, b: string) => `${a}/${b}`,
    fileExists: (path: string) => files.has(path),
    createDirectory: (path: string) => files.set(path, ''),
    listContents: (path: string) =>
      [...files.keys()].filter((one) => one.startsWith(`${path}/`)).map((one) => one.slice(path.length + 1)),
    remove: (path: string) => files.delete(path),
    write: (path: string, { bytes }: { bytes: Buffer }) => files.set(path, bytes),
    writeString: (path: string, words: string) => files.set(path, words),
    read: (path: string) => data(files.get(path) as Buffer),
    readString: (path: string) => String(files.get(path)),
  }

  return {
    files,
    asked,
    async show(script, family, parameter) {
      let shown: Drawn | undefined
      const isAccessory = family.startsWith('accessory')
      class PhoneDate extends Date {
        constructor(at?: number | string) {
          super(at ?? phone.now())
        }
        static override now = () => phone.now()
      }
      const globals = {
        config: { runsInWidget: true, runsInAccessoryWidget: isAccessory, widgetFamily: family },
        args: { widgetParameter: parameter ?? null },
        Device: { screenSize: () => phone.screen ?? { width: 390, height: 844 } },
        FileManager: { local: () => manager },
        Request,
        Date: PhoneDate,
        Size: class {
          readonly width: number
          readonly height: number
          constructor(width: number, height: number) {
            this.width = width
            this.height = height
          }
        },
        Color: class {
          readonly hex: string
          constructor(hex: string) {
            this.hex = hex
          }
          static dynamic = (light: object, dark: object) => ({ light, dark })
        },
        Font: { systemFont: (size: number) => ({ size }), semiboldSystemFont: (size: number) => ({ size }) },
        Image: {
          fromData: ({ bytes }: { bytes: Buffer }): Image | null =>
            bytes.subarray(1, 4).toString() === 'PNG'
              ? { bytes, width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
              : null,
        },
        DateFormatter: class {
          useNoDateStyle() {}
          useShortTimeStyle() {}
          string = (at: Date) => at.toISOString().slice(11, 16)
        },
        ListWidget: class {
          constructor() {
            const more = { refreshAfterDate: undefined, addAccessoryWidgetBackground: false }
            // biome-ignore lint/correctness/noConstructorReturn: a class whose members are checked.
            return container('widget', more) as never
          }
        },
        Script: { setWidget: (widget: Drawn) => (shown = widget), complete() {} },
      }
      // As the app does: the script may await.
      await runInContext(`(async () => {${script}\n})()`, createContext(globals))
      if (!shown) throw new Error('the script has set no widget')
      const pixels = imagesOf(shown).reduce((sum, { width, height }) => sum + width * height, 0)
      if (pixels > MOST_PIXELS) throw new Error(`iOS drops this widget: ${pixels} pixels`)
      return shown
    },
  }
}

export function partsOf(drawn: Drawn): Drawn[] {
  return [drawn, ...drawn.children.flatMap(partsOf)]
}

export const imagesOf = (drawn: Drawn): Image[] =>
  partsOf(drawn).flatMap((part) => [
    ...(part.type === 'image' ? [part.image as Image] : []),
    ...('backgroundImage' in part && part.backgroundImage ? [part.backgroundImage as Image] : []),
  ])
