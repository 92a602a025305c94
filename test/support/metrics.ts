// Reads what a server exports for Prometheus.

export type Scraped = {
  // Of every metric that has a `# TYPE` line.
  names: string[]
  // The sample with exactly these labels; 0 if there is none.
  value(name: string, labels?: Record<string, string>): number
  text: string
}

export async function scrape({ metricsUrl }: { metricsUrl?: string }): Promise<Scraped> {
  if (!metricsUrl) throw new Error('this server exports no metrics')
  const answer = await fetch(metricsUrl)
  if (answer.status !== 200) throw new Error(`GET /metrics answered ${answer.status}`)
  const text = await answer.text()
  const samples = new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
  const seriesOf = (name: string, labels: Record<string, string>) => {
    const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
    return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`
  }
  return {
    text,
    names: [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => String(name)),
    value: (name, labels = {}) => samples.get(seriesOf(name, labels)) ?? 0,
  }
}
