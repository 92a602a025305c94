// The commands that are clients of a server and run on any machine. Only the one that runs is loaded: the modules of the server
// take 0.3 s, which a client command need not wait for.
import type { Command } from 'commander'

export const CLIENT_COMMANDS: Record<string, () => Promise<Command>> = {
  send: async () => (await import('./send.ts')).sendCommand(),
  ask: async () => (await import('./ask.ts')).askCommand(),
  run: async () => (await import('./run.ts')).runCommand(),
  inbox: async () => (await import('./inbox/inbox.ts')).inboxCommand(),
  answer: async () => (await import('./inbox/respond.ts')).answerCommand(),
  ack: async () => (await import('./inbox/respond.ts')).ackCommand(),
  read: async () => (await import('./inbox/respond.ts')).readCommand(),
  widget: async () => (await import('./widget.ts')).widgetCommand(),
  activity: async () => (await import('./activity.ts')).activityCommand(),
  heartbeat: async () => (await import('./on-call/heartbeat.ts')).heartbeatCommand(),
  escalation: async () => (await import('./on-call/escalation.ts')).escalationCommand(),
  quiet: async () => (await import('./on-call/quiet.ts')).quietCommand(),
  mute: async () => (await import('./on-call/mute.ts')).muteCommand(),
  schedule: async () => (await import('./schedule.ts')).scheduleCommand(),
  receipt: async () => (await import('./receipt.ts')).receiptCommand(),
  share: async () => (await import('./share.ts')).shareCommand(),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
  api: async () => (await import('./api-command.ts')).apiCommand(),
  key: async () => (await import('./account/key.ts')).keyCommand(),
  hook: async () => (await import('./account/hook.ts')).hookCommand(),
  device: async () => (await import('./account/device.ts')).deviceCommand(),
  me: async () => (await import('./account/me.ts')).meCommand(),
  login: async () => (await import('./login.ts')).loginCommand(),
  logout: async () => (await import('./login.ts')).logoutCommand(),
  profiles: async () => (await import('./login.ts')).profilesCommand(),
}
