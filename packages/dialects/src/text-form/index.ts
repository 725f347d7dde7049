/** The form of a text file: its byte-order mark and its line endings. */
export { inFormOf, plainText } from "./text-form.ts";
