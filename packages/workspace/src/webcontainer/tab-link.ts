import { asSentence } from "@treadle/protocol/sentences";
import type { FromTab, TabAnswer, TabAsk, TabChanges, ToTab } from "@treadle/protocol";
import { WorkspaceError } from "../types.ts";

/** The part of a tab's socket that is used here. */
export interface TabChannel {
  send(message: ToTab): void;
  /** 4001: another tab of the same project has replaced it. */
  close(code: number, reason: string): void;
}

/** The tab was closed, or disconnected, before it answered. */
export class TabLeft extends Error {}

/** Receives events of a project's tab. */
export interface TabFollower {
  /** A new, empty container has started. */
  arrived(): void;
  left(): void;
  ports(ports: number[]): void;
  /** A terminal has changed files in the tab. */
  changed(changes: TabChanges): void;
}

interface Pending<Kind extends TabAsk["kind"] = TabAsk["kind"]> {
  kind: Kind;
  onOutput: (text: string) => void;
  resolve(answer: TabAnswer): void;
  reject(error: Error): void;
}

/** Characters shown of one error message of a container. */
const MESSAGE_KEPT = 2_000;

/** The server's end of one project's tab. There is at most one tab at a time: the newest. */
export class TabLink {
  #channel: TabChannel | undefined;
  #ready = false;
  #next = 1;
  readonly #pending = new Map<number, Pending>();
  #follower: TabFollower | undefined;
  #ports: { port: number; url: string }[] = [];
  #revision = "";

  get isReady(): boolean {
    return this.#ready;
  }

  /** Addresses at which the person's own browser reaches the ports of the container. */
  get ports(): readonly { port: number; url: string }[] {
    return this.#ports;
  }

  /**
   * Makes the open workspace the only receiver of events; earlier ones receive nothing more. Returns a function that
   * ends this.
   */
  follow(follower: TabFollower): () => void {
    this.#follower = follower;
    if (this.#ready) follower.arrived();
    return () => {
      if (this.#follower === follower) this.#follower = undefined;
    };
  }

  /** Registers a new tab, which replaces the previous one. @returns the receiver of its messages, and its closing */
  attach(channel: TabChannel): { receive(message: FromTab): void; left(): void } {
    const before = this.#channel;
    this.#drop("another tab of this project took its place");
    before?.close(4001, "another-tab");
    this.#channel = channel;
    return {
      receive: (message) => {
        if (this.#channel === channel) this.#receive(message);
      },
      left: () => {
        if (this.#channel === channel) this.#drop("the tab was closed");
      },
    };
  }

  send(message: ToTab): void {
    this.#channel?.send(message);
  }

  /**
   * Sends a request to the current tab. Rejects with `TabLeft` if there is none or it disconnects before answering, and
   * with `WorkspaceError` if it cannot fulfil the request.
   */
  ask<Ask extends TabAsk>(
    ask: Ask,
    {
      revision = this.#revision,
      onOutput = () => {},
    }: {
      /** The revision that the request concerns; absent: that of the previous request. */
      revision?: string;
      onOutput?: (text: string) => void;
    } = {},
  ): {
    /** Identifies the request in later messages; 0 if there is no tab. */
    id: number;
    answer: Promise<Extract<TabAnswer, { kind: Ask["kind"] }>>;
    cancel(): void;
  } {
    if (!this.#ready)
      return { id: 0, answer: Promise.reject(new TabLeft("no tab is open")), cancel: () => {} };
    this.#revision = revision;
    const id = this.#next++;
    const answer = new Promise<TabAnswer>((resolve, reject) => {
      this.#pending.set(id, { kind: ask.kind, onOutput, resolve, reject });
    }) as Promise<Extract<TabAnswer, { kind: Ask["kind"] }>>;
    this.send({ type: "ask", id, revision, ask });
    return { id, answer, cancel: () => this.send({ type: "cancel", id }) };
  }

  #receive(message: FromTab): void {
    switch (message.type) {
      case "ready":
        this.#ready = true;
        this.#follower?.arrived();
        return;
      case "broken":
        return this.#drop(String(message.message).slice(0, MESSAGE_KEPT), true);
      case "output":
        this.#pending.get(message.id)?.onOutput(String(message.text));
        return;
      case "changed":
        // Ignores an answer that was not requested.
        if ([...this.#pending.values()].some(({ kind }) => kind === "terminal"))
          this.#follower?.changed(message);
        return;
      case "ports":
        this.#ports = message.ports.filter(({ port }) => Number.isInteger(port) && port > 0);
        this.#follower?.ports(this.#ports.map(({ port }) => port));
        return;
      case "answer": {
        const pending = this.#pending.get(message.id);
        if (!pending || pending.kind !== message.answer.kind) return;
        this.#pending.delete(message.id);
        pending.resolve(message.answer);
        return;
      }
      case "refused":
        this.#pending
          .get(message.id)
          ?.reject(
            new WorkspaceError(
              "failed",
              asSentence(String(message.message).slice(0, MESSAGE_KEPT)),
            ),
          );
        this.#pending.delete(message.id);
        return;
    }
  }

  /** @param shouldKeep the page is still open, and may start another container */
  #drop(why: string, shouldKeep = false): void {
    if (!shouldKeep) this.#channel = undefined;
    const was = this.#ready;
    this.#ready = false;
    this.#ports = [];
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    if (was) this.#follower?.left();
    for (const { reject } of pending) reject(new TabLeft(why));
  }
}
