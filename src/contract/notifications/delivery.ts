// How the delivery of a notification is reported, and why it was not delivered to all devices.

export const DELIVERIES = ['all', 'partial', 'none'] as const
export const DELIVERY_REASONS = [
  'no_apns_token',
  'apns_rejected',
  'push_disabled',
  'muted',
  'quiet_hours',
  'storm',
] as const
