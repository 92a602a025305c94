// Displays that ask for a picture and sleep until the next one. A display registers once at its address, gets a key, and calls with it.
import { Problem } from '../../contract/problems.ts'
import type { LinkCaller } from '../../domain/caller.ts'
import { nothingOnLink } from '../../domain/permissions.ts'
import { findTimeZone } from '../../domain/schedules/wall-clock.ts'
import { isMac, sleepSeconds } from '../../domain/screens/display.ts'
import { hashToken } from '../../domain/token.ts'
import { randomText } from '../../runtime/ids.ts'
import { findDisplay, registerDisplay, type StoredDisplay, updateLastFile } from '../../store/screens.ts'
import { withPlan } from '../authenticate.ts'
import type { Context } from '../context.ts'
import { drawn, type Picture } from './pictures.ts'
import { pictureOfWall, pictureOfWidgets } from './sheets.ts'

// `code`: that of the address.
export type DisplayRequest = { code: string; key: string; mac: string; size: string }

type Display = Omit<StoredDisplay, 'caller'> & { caller: LinkCaller }

export type Registered = { key: string; friendlyId: string; filename: string }

const KEY_CHARS = 32
// Only for people, to tell displays apart.
const FRIENDLY_CHARS = 6
const RETRY_SECONDS = 300

export async function register(ctx: Context, { code, mac, size }: Omit<DisplayRequest, 'key'>): Promise<Registered> {
  const display = await requireDisplay(ctx, code)
  if (!isMac(mac)) throw nothingOnLink()
  const key = randomText(KEY_CHARS)
  const file = fileOf(await pictureOf(ctx, display, size))
  const registration = { keyHash: hashToken(key), mac: mac.toUpperCase(), file, now: ctx.clock.now() }
  const isFirst = await ctx.db.transact((tx) => registerDisplay(tx, display.caller, registration))
  if (!isFirst) throw nothingOnLink()
  return { key, friendlyId: friendlyId(display), filename: file }
}

const friendlyId = ({ caller }: Display): string => caller.linkId.slice(0, FRIENDLY_CHARS).toUpperCase()

export type Shown = { filename: string; refreshSeconds: number }

// What the display shows next. Drawn before it is told, so that it never asks for a picture that there is not.
export async function nextPicture(ctx: Context, request: DisplayRequest): Promise<Shown> {
  const display = await authenticateDisplay(ctx, request)
  const { caller, settings, lastFile } = display
  const picture = await pictureOf(ctx, display, request.size)
  let filename: string
  try {
    filename = fileOf(await picture.draw())
  } catch (error) {
    // It goes on with what it has.
    if (lastFile && isNotDrawn(error)) return { filename: lastFile, refreshSeconds: RETRY_SECONDS }
    throw error
  }
  if (filename !== lastFile) await ctx.db.transact((tx) => updateLastFile(tx, caller, filename))
  if (filename !== fileOf(picture)) return { filename, refreshSeconds: RETRY_SECONDS }
  const { validUntil } = picture
  const timezone = findTimeZone(caller.defaults.tz ?? 'UTC') ?? 'UTC'
  return { filename, refreshSeconds: sleepSeconds(settings, { now: ctx.clock.now(), timezone, validUntil }) }
}

const isNotDrawn = (error: unknown): boolean =>
  error instanceof Problem && (error.problem === 'picture.busy' || error.problem === 'picture.failed')

// The file that a display was told to show last, and no other.
export async function pictureFile(
  ctx: Context,
  { code, size, filename }: { code: string; size: string; filename: string },
): Promise<Buffer> {
  const display = await requireDisplay(ctx, code)
  if (display.lastFile !== filename) throw gone()
  const current = await pictureOf(ctx, display, size)
  const task = () => Promise.reject(gone())
  // If it has changed since, it may still be in memory.
  const shown =
    fileOf(current) === filename
      ? await current.draw()
      : await drawn(ctx, display.caller, filename.replace(/\.png$/, ''), { kind: 'sheet', task })
  // Other bytes under this name would stay on the screen.
  if (fileOf(shown) !== filename) throw gone()
  return shown.bytes
}

const fileOf = ({ name }: { name: string }): string => `${name}.png`
const gone = () => new Problem('route.not_found', 'There is no such picture, or no longer.')

export async function authenticateDisplay(
  ctx: Context,
  { code, key, mac }: Pick<DisplayRequest, 'code' | 'key' | 'mac'>,
): Promise<Display> {
  const display = await requireDisplay(ctx, code)
  const isIts = hashToken(key) === display.caller.tokenHash && mac.toUpperCase() === display.mac
  if (!isIts) throw nothingOnLink()
  ctx.lastUsed.note(display.caller, ctx.clock.now())
  return display
}

async function requireDisplay(ctx: Context, code: string): Promise<Display> {
  const found = ctx.config.screenLinks ? await findDisplay(ctx.db.read, hashToken(code)) : undefined
  if (!found) throw nothingOnLink()
  return { ...found, caller: withPlan(ctx, found.caller) }
}

function pictureOf(ctx: Context, { caller }: Display, size: string): Promise<Picture> {
  const { lang, tz } = caller.defaults
  const query = { size, colors: '2' as const, lang: lang ?? undefined, tz: tz ?? undefined }
  const asked = { query, format: 'png' as const }
  // The clock would be wrong a minute later.
  if (caller.showsWall) return pictureOfWall(ctx, { ...caller, widgetSlugs: ['*'] }, asked, false)
  return pictureOfWidgets(ctx, caller, caller.widgetSlugs, asked)
}
