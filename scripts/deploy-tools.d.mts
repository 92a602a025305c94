export function findDeployTool(name: 'nginx' | 'haproxy' | 'caddy' | 'promtool' | 'pgbouncer'): string | undefined
export function unpackDeployTools(
  run: (folder: string, command: string, ...args: string[]) => Promise<void>,
): Promise<void>
export function deployToolEnvironment(): { LD_LIBRARY_PATH: string }
