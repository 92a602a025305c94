// Whether another device can open an address: not if it names the machine itself, or all its network interfaces.
import { isLoopback } from '../runtime/setting-values.ts'

export function isPhoneReachable(url: string): boolean {
  const { hostname } = new URL(url)
  return !isLoopback(hostname) && hostname !== '0.0.0.0' && hostname !== '[::]'
}
