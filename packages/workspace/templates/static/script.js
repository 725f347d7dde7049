// Runs once the page is there.
