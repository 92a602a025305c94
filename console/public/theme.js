// Before the first paint, or a chosen theme would flash in the other one. Inline script is not allowed here.
const theme = localStorage.getItem('theme')
if (theme) document.documentElement.dataset.theme = theme
