import { randomUUID } from "node:crypto";
import type { Clock } from "@treadle/agent";
import type { LogEvent, Notification, NotificationChannel } from "@treadle/protocol";
import { createLifecycle, type Lifecycle } from "@treadle/protocol/lifecycle";
import { asMessage, sentence } from "@treadle/protocol/sentences";
import type { Store } from "@treadle/store";
import { ApiFailure } from "@treadle/common";
import { type ChannelSettings, channelSettings } from "./channel-settings.ts";
import { DeliveryFailure } from "./delivery-failure.ts";
import {
  type DeliveryEvent,
  type DeliveryPhase,
  deliveryTransition,
  isDone,
} from "./delivery-lifecycle.ts";
import { makesNewsOld, type News, newsOf } from "./news-of.ts";
import { sendMail } from "./send-mail.ts";
import { sendWebhook } from "./send-webhook.ts";

/** How long a page that is looked at has to say so, in milliseconds. */
const HOLD_MS = 10_000;
/** Pauses between attempts, in milliseconds: there are four attempts within seven minutes. */
const PAUSES_MS = [10_000, 60_000, 300_000] as const;
/** For one attempt, in milliseconds. */
const ATTEMPT_MS = 30_000;
/** Maximum number of notifications being sent; further ones are dropped. */
const MAX_DELIVERIES = 100;

const CHANNELS = ["webhook", "mail"] as const satisfies NotificationChannel[];

export interface Notifications {
  readonly settings: ChannelSettings;
  /** Call for each event that a project's log has taken. Never throws. */
  logged(project: string, event: LogEvent): void;
  /** Somebody asks for what needs a second person. Mail goes to those who may answer. @param to their addresses */
  reviewAsked(project: string, to: readonly string[]): void;
  /** The person has seen a project's news: what is still held of it is not sent. */
  seen(project: string): void;
  /** Sends a test at once. @throws ApiFailure with the reason if it is not delivered or the channel is off */
  test(channel: NotificationChannel): Promise<void>;
  /** Drops whatever was not delivered. */
  close(): void;
}

interface Delivery {
  /** Undefined if it is for others than those who look at the project. */
  readonly project: string | undefined;
  readonly channel: NotificationChannel;
  readonly lifecycle: Lifecycle<DeliveryPhase, DeliveryEvent>;
}

/** Sends a project's news through the channels that the person set up. */
export function createNotifications(options: {
  store: Pick<Store, "settings" | "projects">;
  clock: Clock;
  /** The page's origin. */
  appOrigin(): string;
  onNotice(text: string): void;
}): Notifications {
  const { store, clock, appOrigin, onNotice } = options;
  const settings = channelSettings(store);
  const deliveries = new Set<Delivery>();

  /** Sends through a channel; resolves with `false` if it is off. @throws DeliveryFailure */
  async function send(
    channel: NotificationChannel,
    notification: Notification,
    signal: AbortSignal,
    to?: readonly string[],
  ): Promise<boolean> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
    if (channel === "webhook") {
      const target = await settings.target("webhook");
      if (target) await sendWebhook(target, notification, limited);
      return target !== undefined;
    }
    const target = await settings.target("mail");
    if (target) await sendMail({ ...target, to: to?.join(", ") ?? target.to }, notification, limited); // prettier-ignore
    return target !== undefined;
  }

  const record = (channel: NotificationChannel, failure?: DeliveryFailure) =>
    settings.setLast(channel, {
      at: clock.now(),
      ...(failure ? { failure: asMessage(failure.sentence) } : {}),
    });

  async function notificationOf(project: string, news: News): Promise<Notification | undefined> {
    const found = await store.projects.get(project);
    // The copies of comparisons and parallel requests are not the person's own projects.
    if (!found || found.comparison !== undefined || found.parallelOf !== undefined)
      return undefined;
    return {
      id: randomUUID(),
      ...news,
      project: { id: project, name: found.name },
      address: `${appOrigin()}${news.event === "review-asked" ? "/reviews" : `/p/${project}`}`,
      at: clock.now(),
    };
  }

  function deliver(
    project: string,
    channel: NotificationChannel,
    news: News,
    to?: readonly string[],
  ): void {
    const stopping = new AbortController();
    const { signal } = stopping;
    let notification: Promise<Notification | undefined> | undefined;
    let attempts = 0;
    let failure: DeliveryFailure | undefined;

    const wait = (ms: number) =>
      clock.sleep(ms, signal).then(
        () => lifecycle.send("due"),
        () => undefined,
      );
    async function attempt(): Promise<DeliveryEvent> {
      attempts++;
      try {
        // The name counts as it is when the turn has ended, which may have given it.
        const content = await (notification ??= notificationOf(project, news));
        const isSent = content !== undefined && (await send(channel, content, signal, to));
        failure = undefined;
        return isSent ? "accepted" : "cancel";
      } catch (error) {
        failure =
          error instanceof DeliveryFailure
            ? error
            : new DeliveryFailure({ text: (error as Error).message }, { isFinal: true });
        return failure.isFinal || attempts > PAUSES_MS.length ? "refused" : "unreachable";
      }
    }
    const lifecycle = createLifecycle(
      "held" as DeliveryPhase,
      deliveryTransition,
      (effect) => {
        switch (effect) {
          case "send":
            void attempt().then((event) => lifecycle.send(event));
            break;
          case "pause":
            void wait(PAUSES_MS[attempts - 1]!);
            break;
          case "record":
            record(channel, failure).catch((error: Error) => onNotice(error.message));
            break;
          case "abort":
            stopping.abort();
            break;
        }
      },
      (phase) => isDone(phase) && deliveries.delete(delivery),
    );
    const delivery: Delivery = { project: to ? undefined : project, channel, lifecycle };
    deliveries.add(delivery);
    void wait(HOLD_MS);
  }

  const seen = (project: string) => {
    for (const one of deliveries) if (one.project === project) one.lifecycle.send("seen");
  };
  return {
    settings,
    seen,
    logged(project, event) {
      if (makesNewsOld(event)) seen(project);
      const news = newsOf(event);
      if (!news || deliveries.size >= MAX_DELIVERIES) return;
      for (const channel of CHANNELS) deliver(project, channel, news);
    },
    reviewAsked(project, to) {
      if (deliveries.size >= MAX_DELIVERIES) return;
      deliver(project, "webhook", { event: "review-asked" }, []);
      if (to.length > 0) deliver(project, "mail", { event: "review-asked" }, to);
    },
    async test(channel) {
      const notification: Notification = {
        id: randomUUID(),
        event: "test",
        address: appOrigin(),
        at: clock.now(),
      };
      try {
        const isSent = await send(channel, notification, new AbortController().signal);
        if (!isSent) throw new ApiFailure(409, "channel-off", sentence("notification-off"));
        await record(channel);
      } catch (error) {
        if (!(error instanceof DeliveryFailure)) throw error;
        await record(channel, error);
        throw new ApiFailure(502, "not-delivered", error.sentence);
      }
    },
    close() {
      for (const { lifecycle } of deliveries) lifecycle.send("cancel");
    },
  };
}
