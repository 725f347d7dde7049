/** The texts of the first page, loaded before anything is drawn. */
export { default as api } from "./api.json";
export { default as attachments } from "./attachments.json";
export { default as home } from "./home.json";
export { default as modelChip } from "./modelChip.json";
export { default as page } from "./page.json";
export { default as pictures } from "./pictures.json";
export { default as prompt } from "./prompt.json";
export { default as settings } from "./settings.json";
export { default as ui } from "./ui.json";
export { default as verdict } from "./verdict.json";
