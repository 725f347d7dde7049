/** The texts of the first page: they are waited for before anything is drawn. */
export { api } from "./api.ts";
export { attachments } from "./attachments.ts";
export { home } from "./home.ts";
export { modelChip } from "./modelChip.ts";
export { page } from "./page.ts";
export { pictures } from "./pictures.ts";
export { prompt } from "./prompt.ts";
export { settings } from "./settings.ts";
export { ui } from "./ui.ts";
export { verdict } from "./verdict.ts";
