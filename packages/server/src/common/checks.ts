/** Parsing of checks without a server, and without loading the rest of it. */
export { CHECKS_FILE, parseChecks, problemWords, type Checks } from "@treadle/protocol/checks";
