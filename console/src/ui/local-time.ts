// Formats a time for <input type="datetime-local">, in the time zone of the browser.

export function toLocal(at: string | number): string {
  const moment = new Date(at)
  if (Number.isNaN(moment.getTime())) return ''
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
