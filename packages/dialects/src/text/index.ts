/** A text that comes in pieces, without halves of characters. */
export { createSurrogateJoiner, type SurrogateJoiner } from "./surrogates.ts";
