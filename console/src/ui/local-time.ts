// Moments in the form that <input type="datetime-local"> takes, in the person's own time zone.

export function toLocal(at: string | number): string {
  const moment = new Date(at)
  if (Number.isNaN(moment.getTime())) return ''
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
