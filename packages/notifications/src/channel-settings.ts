import type {
  LastDelivery,
  MailSecurity,
  NotificationChannel,
  NotificationSettings,
} from "@treadle/protocol";
import { ApiFailure } from "@treadle/common";
import { sentence } from "@treadle/protocol/sentences";
import type { Store } from "@treadle/store";
import type { MailLanguage } from "./mail-text.ts";
import type { MailTarget } from "./send-mail.ts";
import type { WebhookTarget } from "./send-webhook.ts";

/** Encrypted: a target has a secret or a password, and the address of a webhook often is one. */
const TARGET = "secret:notifications:";
const LAST = "notifications:last:";

export interface Targets {
  webhook: WebhookTarget;
  mail: MailTarget;
}

export interface TypedWebhook {
  url: string;
  /** Absent: unchanged while the server is the same. Empty: none. */
  secret?: string | undefined;
}

export interface TypedMail {
  host: string;
  port: number;
  security: MailSecurity;
  user: string;
  /** Absent: unchanged while server and user are the same. Empty: none. */
  password?: string | undefined;
  from: string;
  to: string;
  language: MailLanguage;
}

export interface ChannelSettings {
  /** Everything but secrets. */
  read(): Promise<NotificationSettings>;
  /** Undefined if the channel is off. */
  target<Channel extends NotificationChannel>(
    channel: Channel,
  ): Promise<Targets[Channel] | undefined>;
  /** @throws ApiFailure if the address is invalid */
  setWebhook(typed: TypedWebhook): Promise<void>;
  setMail(typed: TypedMail): Promise<void>;
  remove(channel: NotificationChannel): Promise<void>;
  setLast(channel: NotificationChannel, last: LastDelivery): Promise<void>;
}

/** The webhook and the mail address of the person's choice, stored with the server's settings. */
export function channelSettings({ settings }: Pick<Store, "settings">): ChannelSettings {
  const target = <Channel extends NotificationChannel>(channel: Channel) =>
    settings.get<Targets[Channel]>(TARGET + channel);
  const last = (channel: NotificationChannel) => settings.get<LastDelivery>(LAST + channel);
  /** The last result belongs to the target that was replaced. */
  async function set<Channel extends NotificationChannel>(
    channel: Channel,
    next: Targets[Channel],
  ): Promise<void> {
    await settings.set(TARGET + channel, next);
    await settings.remove(LAST + channel);
  }
  return {
    target,
    async read() {
      const [webhook, mail] = [await target("webhook"), await target("mail")];
      return {
        webhook: webhook && {
          url: webhook.url,
          hasSecret: Boolean(webhook.secret),
          last: await last("webhook"),
        },
        mail: mail && {
          host: mail.host,
          port: mail.port,
          security: mail.security,
          user: mail.user,
          hasPassword: Boolean(mail.password),
          from: mail.from,
          to: mail.to,
          last: await last("mail"),
        },
      };
    },
    async setWebhook({ url, secret }) {
      const parsed = URL.parse(url);
      if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password)
        throw new ApiFailure(400, "bad-input", sentence("webhook-address-invalid"));
      const before = await target("webhook");
      const isSameServer = URL.parse(before?.url ?? "")?.origin === parsed.origin;
      await set("webhook", {
        url: parsed.href,
        secret: secret ?? (isSameServer ? before?.secret : undefined),
      });
    },
    async setMail(typed) {
      const before = await target("mail");
      const isSameLogin =
        before !== undefined && before.host === typed.host && before.user === typed.user;
      await set("mail", {
        ...typed,
        password: typed.password ?? (isSameLogin ? before.password : undefined),
      });
    },
    async remove(channel) {
      await settings.remove(TARGET + channel);
      await settings.remove(LAST + channel);
    },
    setLast: (channel, result) => settings.set(LAST + channel, result),
  };
}
