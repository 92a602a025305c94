// Lines to paste into a job so that it pings, with the real address. They are the same in every language.
import type { HeartbeatView } from '../../../../src/contract/heartbeats.ts'
import type { HEARTBEAT_TEXTS } from '../../texts/heartbeats.ts'

export type Tool = keyof typeof HEARTBEAT_TEXTS.connect.tools

type Pinged = Pick<HeartbeatView, 'slug' | 'cron' | 'every_seconds'> & { ping_url: string }

const CURL = 'curl -fsS -m 10 --retry 5 -o /dev/null'
const JOB = '/usr/local/bin/job'

// One text for each of the `places` in the texts.
export const READY_LINES: Record<Tool, (heartbeat: Pinged) => string[]> = {
  shell: ({ ping_url }) => [`${CURL} ${ping_url}`, `${CURL} ${ping_url}/start\n${JOB}\n${CURL} ${ping_url}/$?`],
  cron: (heartbeat) => {
    const { ping_url, slug } = heartbeat
    const time = crontabTime(heartbeat)
    const output = `/tmp/${slug}.out`
    return [
      `${time} ${JOB} && ${CURL} ${ping_url}`,
      `${time} ${JOB} > ${output} 2>&1; ${CURL} --data-binary @${output} ${ping_url}/$?`,
    ]
  },
  systemd: ({ ping_url }) => [
    `[Service]
ExecStartPre=-/usr/bin/${CURL} ${ping_url}/start
ExecStart=${JOB}
ExecStopPost=-/bin/sh -c '[ "$$SERVICE_RESULT" = success ] && end= || end=/fail; ${CURL} ${ping_url}$$end'`,
  ],
  github: ({ ping_url }) => [
    `gh secret set PING_URL --body '${ping_url}'`,
    `- run: ${CURL} "$PING_URL/start"
  env: { PING_URL: '\${{ secrets.PING_URL }}' }
- run: make
- if: always()
  run: ${CURL} "$PING_URL/\${{ job.status == 'success' && '0' || '1' }}"
  env: { PING_URL: '\${{ secrets.PING_URL }}' }`,
  ],
  kubernetes: ({ slug, ping_url }) => {
    const secret = `heartbeat-${slug.toLowerCase().replaceAll('_', '-')}`
    return [
      `kubectl create secret generic ${secret} --from-literal=PING_URL=${ping_url}`,
      `containers:
  - name: job
    image: example/job
    command: ['/bin/sh', '-c']
    args: ['${JOB}; status=$?; ${CURL} "$PING_URL/$status"; exit $status']
    envFrom: [{ secretRef: { name: ${secret} } }]`,
    ]
  },
}

export const TOOLS = Object.keys(READY_LINES) as Tool[]

// The time fields of a crontab line. An interval that crontab cannot express is rounded down to one that it can: a ping too
// many does no harm.
export function crontabTime({ cron, every_seconds = 3600 }: Pick<Pinged, 'cron' | 'every_seconds'>): string {
  if (cron) return cron
  const minutes = Math.floor(every_seconds / 60)
  if (minutes < 60) return minutes === 1 ? '* * * * *' : `*/${largestDivisor(60, minutes)} * * * *`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return hours === 1 ? '0 * * * *' : `0 */${largestDivisor(24, hours)} * * *`
  return hours < 7 * 24 ? '0 3 * * *' : '0 3 * * 1'
}

// The largest divisor of a number that is at most `limit`: with others the steps of cron would not be even.
function largestDivisor(of: number, limit: number): number {
  let divisor = limit
  while (of % divisor !== 0) divisor--
  return divisor
}
