// The form of the ids that the server generates. Text of any other form is not looked up: it may contain characters
// that a database refuses.

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isUuid = (text: string): boolean => UUID.test(text)
