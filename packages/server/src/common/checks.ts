/** A project's own checks, to be read without a server: with nothing else of it loaded. */
export { CHECKS_FILE, parseChecks, type Checks } from "@treadle/protocol/checks";
