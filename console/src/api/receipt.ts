// Acknowledgement receipts as the API shows them.

export type ReceiptView = {
  notification_id: number
  status: 'active' | 'acknowledged' | 'expired' | 'canceled'
  repeat_seconds: number
  expires_at: string
  repeats_sent: number
  created_at: string
  last_delivered_at?: string
  acknowledged_at?: string
  acknowledged_by_device?: string
  action_id?: string
  canceled_at?: string
  cancel_reason?: 'api' | 'tag' | 'superseded' | 'key_revoked' | 'deleted'
  tags?: string[]
  callback?: {
    status: 'pending' | 'delivered' | 'failed'
    attempts: number
    delivered_at?: string
    last_status_code?: number
  }
}
