/** A project's own checks, to be read without a server: with nothing else of it loaded. */
export { CHECKS_FILE, parseChecks, problemWords, type Checks } from "@treadle/protocol/checks";
