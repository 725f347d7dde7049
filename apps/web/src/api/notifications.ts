import type { MailSecurity, NotificationChannel, NotificationSettings } from "@treadle/protocol";
import { getJson, sendJson } from "./request.ts";

export const NOTIFICATIONS_KEY = ["notifications"] as const;

export const readNotifications = (signal?: AbortSignal) =>
  getJson<NotificationSettings>("/api/notifications", signal);

/** Saves the webhook. Without `secret` the server keeps the one that it has. */
export const saveWebhook = (typed: { url: string; secret?: string }) =>
  sendJson<NotificationSettings>("PUT", "/api/notifications/webhook", typed);

export interface TypedMail {
  host: string;
  port: number;
  security: MailSecurity;
  user: string;
  /** Undefined: the server keeps the one that it has. */
  password?: string;
  from: string;
  to: string;
  language: string;
}

export const saveMail = (typed: TypedMail) =>
  sendJson<NotificationSettings>("PUT", "/api/notifications/mail", typed);

export const removeChannel = (channel: NotificationChannel) =>
  sendJson<NotificationSettings>("DELETE", `/api/notifications/${channel}`);

/** Sends a test message. @throws ApiFailure with the reason if it is not delivered */
export const sendTest = (channel: NotificationChannel) =>
  sendJson("POST", `/api/notifications/${channel}/test`);

/** Reports that the person is looking at the project, so that the server sends no notification about it. */
export const reportSeen = (project: string) => sendJson("POST", `/api/projects/${project}/seen`);
