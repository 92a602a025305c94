// Path of the page that adds a phone.
export const ADD_PHONE = '/app/devices/add'
