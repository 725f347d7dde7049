/** Text streams without lone surrogates. */
export { createSurrogateJoiner, type SurrogateJoiner } from "./surrogates.ts";
