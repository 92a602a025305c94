export function findDeployTool(name: 'nginx' | 'caddy' | 'promtool' | 'pgbouncer'): string | undefined
export function unpackDeployTools(run: (folder: string, command: string, ...args: string[]) => void): void
