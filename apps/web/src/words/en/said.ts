export { SAID as said } from "../said-templates.ts";
