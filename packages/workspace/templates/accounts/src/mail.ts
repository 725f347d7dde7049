import { createTransport } from "nodemailer";

const { SMTP_URL, MAIL_FROM, APP_URL } = process.env;
const isPublished = process.env.NODE_ENV === "production";

/**
 * How a link reaches somebody: by mail where SMTP_URL (smtp://user:password@host:587 or smtps://…:465), MAIL_FROM and
 * APP_URL are set; in development by the server's log; otherwise not at all.
 */
export const mailWay: "mail" | "log" | "none" = !isPublished
  ? "log"
  : SMTP_URL && MAIL_FROM && APP_URL
    ? "mail"
    : "none";

/** @param path of this app. What goes out by mail begins with APP_URL: a Host header could be anybody's. */
export async function sendLink(to: string, what: string, path: string): Promise<void> {
  if (mailWay === "log") console.log(`${what} for ${to}: open ${path}`);
  if (mailWay !== "mail") return;
  const link = new URL(path, APP_URL).href;
  // Where the network is reached through a proxy only.
  const proxy = process.env.HTTPS_PROXY;
  const port = SMTP_URL!.startsWith("smtps:") ? 465 : 587;
  const transport = createTransport({ url: SMTP_URL, port, ...(proxy && { proxy }) });
  await transport.sendMail({
    from: MAIL_FROM,
    to,
    subject: what,
    text: `${what}:\n\n${link}\n\nThe link works once, for one hour. If you did not ask for it, nothing has to be done.\n`,
  });
}
