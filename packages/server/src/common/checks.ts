/** Parses checks files without starting or loading a server. */
export { CHECKS_FILE, parseChecks, problemWords, type Checks } from "@treadle/protocol/checks";
