// The form of ids that we make ourselves. What has another form is not looked up: it may hold characters that a database
// refuses.

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isUuid = (text: string): boolean => UUID.test(text)
