import type { MailSecurity, Notification } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { DeliveryFailure } from "./delivery-failure.ts";
import { type MailLanguage, mailText } from "./mail-text.ts";

export interface MailTarget {
  host: string;
  port: number;
  security: MailSecurity;
  user: string;
  password?: string | undefined;
  from: string;
  to: string;
  language: MailLanguage;
}

/** For each of connecting, the greeting, and every answer, in milliseconds. */
const ANSWER_MS = 15_000;

/** Sends a notification as a plain text mail. @throws DeliveryFailure */
export async function sendMail(
  target: MailTarget,
  notification: Notification,
  signal: AbortSignal,
): Promise<void> {
  // Loaded when the first mail is sent: most servers send none.
  const { createTransport } = await import("nodemailer");
  const { host, port, security, user, password, from, to } = target;
  const transport = createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(user === "" ? {} : { auth: { user, pass: password ?? "" } }),
    connectionTimeout: ANSWER_MS,
    greetingTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const stop = () => transport.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    await transport.sendMail({
      from,
      to,
      ...mailText(notification, target.language),
      headers: { "auto-submitted": "auto-generated" },
    });
  } catch (error) {
    throw failureOf(error as SmtpError, host);
  } finally {
    signal.removeEventListener("abort", stop);
    transport.close();
  }
}

interface SmtpError extends Error {
  code?: string;
  /** The server's status: 4xx for now, 5xx for good. */
  responseCode?: number;
  response?: string;
}

function failureOf(error: SmtpError, host: string): DeliveryFailure {
  const { code, responseCode, response = error.message } = error;
  const isFinal = responseCode !== undefined && responseCode >= 500;
  if (code === "EAUTH") return new DeliveryFailure(sentence("mail-login", { host }), { isFinal });
  if (code === "ETLS")
    return new DeliveryFailure(sentence("mail-unencrypted", { host }), { isFinal: true });
  if (responseCode !== undefined || code === "EENVELOPE") {
    const why = response.split("\n", 1)[0]!.slice(0, 200);
    return new DeliveryFailure(sentence("mail-refused", { host, why }), { isFinal });
  }
  const why = code ?? error.message;
  return new DeliveryFailure(sentence("notification-unreachable", { host, why }), {
    isFinal: false,
  });
}
