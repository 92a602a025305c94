// Times that this suite measures and prints; their goals are for an idle machine.
export const durationSince = (startedAt: number) => (performance.now() - startedAt) / 1000

export function report(what: string, value: number, unit: 's' | 'MB'): void {
  process.stdout.write(`${what}: ${value.toFixed(1)} ${unit}\n`)
}
