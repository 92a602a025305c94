// Recipients of e-mail, and what was sent to them, as the API shows them.

export type RecipientView = {
  id: string
  address: string
  status: 'pending' | 'verified' | 'suppressed'
  created_at: string
  verified_at?: string
}

export type EmailView = {
  id: number
  to: string
  subject: string
  status: 'sent' | 'bounced' | 'complained' | 'failed' | 'suppressed'
  created_at: string
  error?: string
}
