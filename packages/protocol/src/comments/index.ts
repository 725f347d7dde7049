export { followLine, lineDigests, lineOf } from "./follow-line.ts";
