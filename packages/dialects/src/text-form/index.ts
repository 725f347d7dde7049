/** The form of a text file: its byte-order mark and its line ends. */
export { inFormOf, plainText } from "./text-form.ts";
