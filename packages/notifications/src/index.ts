/** News of turns, sent to a webhook or by mail. */
export { MAIL_LANGUAGES } from "./mail-text.ts";
export { createNotifications, type Notifications } from "./notifications.ts";
