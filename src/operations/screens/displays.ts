// Displays that ask for a picture and sleep until the next one. A display registers once at its address, gets a key, and calls with it.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { LinkCaller } from '../../domain/caller.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { nothingOnLink } from '../../domain/permissions.ts'
import { findTimeZone } from '../../domain/schedules/wall-clock.ts'
import {
  type DisplayLook,
  type DisplayReport,
  isBatteryLow,
  isMac,
  logLines,
  missedAt,
  sleepSeconds,
  USUAL_SIZE,
} from '../../domain/screens/display.ts'
import { hashToken } from '../../domain/token.ts'
import { randomText } from '../../runtime/ids.ts'
import type { Writer } from '../../store/engine/database.ts'
import {
  findDisplay,
  registerDisplay,
  type StoredDisplay,
  updateCall,
  updateLog,
  updatePairingAsked,
} from '../../store/screens.ts'
import { withPlan } from '../authenticate.ts'
import type { Context } from '../context.ts'
import { batteryNotice, tellOfDisplay } from './display-notices.ts'
import { type DrawnNow, drawn, type Picture } from './pictures.ts'
import { pictureOfWall, pictureOfWidgets } from './sheets.ts'

// `code`: that of the address.
export type DisplayRequest = { code: string; key: string; mac: string; look: DisplayLook }

type Display = Omit<StoredDisplay, 'caller'> & { caller: LinkCaller }

export type Registered = { key: string; friendlyId: string; filename: string }

const KEY_CHARS = 32
// Only for people, to tell displays apart.
const FRIENDLY_CHARS = 6
const RETRY_SECONDS = 300

export async function register(ctx: Context, { code, mac, look }: Omit<DisplayRequest, 'key'>): Promise<Registered> {
  const display = await requireDisplay(ctx, code)
  if (!isMac(mac)) throw nothingOnLink()
  const key = randomText(KEY_CHARS)
  const file = fileOf(await pictureOf(ctx, display, look), look)
  const now = ctx.clock.now()
  const registration = { keyHash: hashToken(key), mac: mac.toUpperCase(), file, now }
  const isRegistered = await ctx.db.transact((tx) => registerDisplay(tx, display.caller, registration))
  if (!isRegistered) {
    if (display.mac === registration.mac) await askToPair(ctx, display, now)
    throw nothingOnLink()
  }
  return { key, friendlyId: friendlyId(display), filename: file }
}

const ASKED_SECONDS = 60

// Its owner is asked in the console.
async function askToPair(ctx: Context, { caller, pairingAskedAt }: Display, now: Instant): Promise<void> {
  if (pairingAskedAt !== null && now < plusSeconds(pairingAskedAt, ASKED_SECONDS)) return
  await ctx.db.transact((tx) => updatePairingAsked(tx, caller, now))
}

const friendlyId = ({ caller }: Display): string => caller.linkId.slice(0, FRIENDLY_CHARS).toUpperCase()

export type Shown = { filename: string; look: DisplayLook; refreshSeconds: number }

// What the display shows next, and in which form. Drawn before it is told, so that it never asks for a picture that there is not.
export async function nextPicture(
  ctx: Context,
  { report, ...request }: DisplayRequest & { report: DisplayReport },
): Promise<Shown> {
  const display = await authenticateDisplay(ctx, request)
  const shown = await draw(ctx, display, request.look)
  await ctx.db.transact((tx) => noteCall(ctx, tx, display, { report, ...shown }))
  return shown
}

async function draw(ctx: Context, display: Display, look: DisplayLook): Promise<Shown> {
  const { caller, settings, lastFile } = display
  const now = ctx.clock.now()
  const picture = await pictureOf(ctx, display, look)
  let drawnNow: DrawnNow
  try {
    drawnNow = await picture.draw()
  } catch (error) {
    // It goes on with what it has.
    if (lastFile && isNotDrawn(error)) return { filename: lastFile, look, refreshSeconds: RETRY_SECONDS }
    throw error
  }
  if (look.colors === '4' && drawnNow.bytes.length > mostBytes(look)) {
    return draw(ctx, display, { ...look, colors: '2' })
  }
  const filename = fileOf(drawnNow, look)
  if (filename !== fileOf(picture, look)) return { filename, look, refreshSeconds: RETRY_SECONDS }
  const { validUntil } = picture
  const timezone = findTimeZone(caller.defaults.tz ?? 'UTC') ?? 'UTC'
  return { filename, look, refreshSeconds: sleepSeconds(settings, { now, timezone, validUntil }) }
}

type Call = Shown & { report: DisplayReport }

async function noteCall(ctx: Context, tx: Writer, display: Display, { report, filename, refreshSeconds }: Call) {
  const { caller, settings, name, toldAt } = display
  const { calledAt: now, batteryVolts = 0 } = report
  const notice = isBatteryLow(report) && batteryNotice(name, batteryVolts)
  await updateCall(tx, caller, {
    file: filename,
    report,
    missedAt: missedAt(settings, now, refreshSeconds),
    toldAt: notice ? await tellOfDisplay(ctx, tx, { userId: caller.userId, toldAt }, notice, now) : toldAt,
  })
}

// What the firmware has room for.
function mostBytes({ size }: DisplayLook): number {
  const { usual, large } = LIMITS.display.maxPictureBytes
  return size === USUAL_SIZE ? usual : large
}

// Keeps the last lines. One that logs too often is not heard.
export async function keepLog(ctx: Context, request: Omit<DisplayRequest, 'look'>, body: string): Promise<void> {
  const { caller, log, loggedAt } = await authenticateDisplay(ctx, request)
  const now = ctx.clock.now()
  if (loggedAt !== null && now < plusSeconds(loggedAt, LIMITS.display.logEverySeconds)) return
  const lines = [...(log ?? []), ...logLines(body)].slice(-LIMITS.display.keptLogLines)
  await ctx.db.transact((tx) => updateLog(tx, caller, lines, now))
}

const isNotDrawn = (error: unknown): boolean =>
  error instanceof Problem && (error.problem === 'picture.busy' || error.problem === 'picture.failed')

// The file that a display was told to show last, and no other.
export async function pictureFile(
  ctx: Context,
  { code, look, filename }: { code: string; look: DisplayLook; filename: string },
): Promise<Buffer> {
  const display = await requireDisplay(ctx, code)
  if (display.lastFile !== filename) throw gone()
  const current = await pictureOf(ctx, display, look)
  const task = () => Promise.reject(gone())
  // If it has changed since, it may still be in memory.
  const shown =
    fileOf(current, look) === filename
      ? await current.draw()
      : await drawn(ctx, display.caller, filename.replace(/\.\w+$/, ''), { kind: 'sheet', task })
  // Other bytes under this name would stay on the screen.
  if (fileOf(shown, look) !== filename) throw gone()
  return shown.bytes
}

const fileOf = ({ name }: { name: string }, { format }: DisplayLook): string => `${name}.${format}`
const gone = () => new Problem('route.not_found', 'There is no such picture, or no longer.')

async function authenticateDisplay(
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

function pictureOf(ctx: Context, { caller }: Display, { size, colors, format }: DisplayLook): Promise<Picture> {
  const { lang, tz } = caller.defaults
  const query = { size, colors, lang: lang ?? undefined, tz: tz ?? undefined }
  const asked = { query, format }
  // The clock would be wrong a minute later.
  if (caller.showsWall) return pictureOfWall(ctx, { ...caller, widgetSlugs: ['*'] }, asked, false)
  return pictureOfWidgets(ctx, caller, caller.widgetSlugs, asked)
}
