/** The texts of the first page: they are waited for before anything is drawn. */
export { api } from "./api.ts";
export { page } from "./page.ts";
export { settings } from "./settings.ts";
export { ui } from "./ui.ts";
