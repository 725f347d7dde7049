import { createHmac } from "node:crypto";
import type { Notification } from "@treadle/protocol";
import { sentence } from "@treadle/protocol/sentences";
import { DeliveryFailure } from "./delivery-failure.ts";

export interface WebhookTarget {
  url: string;
  secret?: string | undefined;
}

/** Statuses with which a server says that a later attempt may succeed. */
const TEMPORARY = new Set([408, 425, 429]);

/**
 * Posts a notification as JSON. With a secret, `X-Treadle-Signature` is `sha256=` and the HMAC of the body in hex. Only
 * the set host is asked: redirects are not followed, and the answer's body is not read.
 * @throws DeliveryFailure
 */
export async function sendWebhook(
  { url, secret }: WebhookTarget,
  notification: Notification,
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(notification);
  const { host } = new URL(url);
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "Treadle",
      "x-treadle-delivery": notification.id,
      ...(secret ? { "x-treadle-signature": `sha256=${signatureOf(body, secret)}` } : {}),
    },
    body,
    redirect: "manual",
    signal,
  }).catch((error: Error) => {
    const why = reasonOf(error);
    throw new DeliveryFailure(sentence("notification-unreachable", { host, why }), {
      isFinal: false,
    });
  });
  await response.body?.cancel().catch(() => undefined);
  const { status } = response;
  if (response.ok) return;
  throw new DeliveryFailure(sentence("webhook-refused", { host, status: String(status) }), {
    isFinal: status < 500 && !TEMPORARY.has(status),
  });
}

const signatureOf = (body: string, secret: string) =>
  createHmac("sha256", secret).update(body).digest("hex");

/** The system's code (`ECONNREFUSED`) if there is one. */
function reasonOf(error: Error): string {
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
  return typeof code === "string" ? code : error.message;
}
