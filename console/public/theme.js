// Applies the stored theme before the first paint, so that the page does not flash in the other one. A file of its own,
// because the CSP allows no inline scripts.
const theme = localStorage.getItem('theme')
if (theme) document.documentElement.dataset.theme = theme
