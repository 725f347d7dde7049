/** Notifications about a project, by webhook and mail, and their settings. */
import type { Verdict } from "../evidence/types.ts";
import type { CodedText } from "../sentences/types.ts";

/** A way in which notifications leave the server. */
export type NotificationChannel = "webhook" | "mail";

/** `test` is sent on request only. */
export type NotificationEvent =
  | "turn-ended"
  | "turn-asks"
  | "turn-failed"
  | "review-asked"
  | "test";

/** The JSON body of a webhook request. A mail has the same in words. */
export interface Notification {
  /** Unique; a repeated attempt has the same. */
  id: string;
  event: NotificationEvent;
  /** Absent for `test`. */
  project?: { id: string; name: string };
  /** Absent if the turn ended without one, or asks. */
  verdict?: Verdict;
  /** The page of the project; for `review-asked` that of the requests. */
  address: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** The result of the last delivery through a channel. */
export interface LastDelivery {
  /** Milliseconds since 1970. */
  at: number;
  /** Absent if it was delivered. */
  failure?: { message: string; messageCode?: CodedText | undefined };
}

/** Where notifications are posted. */
export interface WebhookSettings {
  url: string;
  /** Whether requests are signed. The secret itself is never returned. */
  hasSecret: boolean;
  last?: LastDelivery | undefined;
}

/** `tls` encrypts from the start, `starttls` before the sign-in, `none` not at all. */
export type MailSecurity = "tls" | "starttls" | "none";

/** The mail server, and the address that gets notifications. */
export interface MailSettings {
  host: string;
  port: number;
  security: MailSecurity;
  /** Empty if the mail server needs no sign-in. */
  user: string;
  /** The password itself is never returned. */
  hasPassword: boolean;
  from: string;
  to: string;
  last?: LastDelivery | undefined;
}

/** Both channels as they are set up; an absent one is off. */
export interface NotificationSettings {
  webhook?: WebhookSettings | undefined;
  mail?: MailSettings | undefined;
}
