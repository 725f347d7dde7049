import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { Client, type ClientConfig } from "pg";
import type { AppsPostgres } from "./apps-postgres.ts";

/** Connects like the loopback ports of sandboxes. */
export interface Doors {
  portOf(sandbox: string): Promise<number>;
  signIn(sandbox: string, more?: ClientConfig): Promise<Client>;
  /** Opens a connection, runs SQL, and returns its rows. */
  ask(sandbox: string, sql: string): Promise<unknown[][]>;
  close(): Promise<void>;
}

export function openDoors(apps: AppsPostgres): Doors {
  const doors = new Map<string, Promise<Server>>();

  async function open(sandbox: string): Promise<Server> {
    const door = createServer({ allowHalfOpen: true }, apps.take(sandbox)).listen(0, "127.0.0.1");
    await once(door, "listening");
    return door;
  }

  async function portOf(sandbox: string): Promise<number> {
    const door = doors.get(sandbox) ?? open(sandbox);
    doors.set(sandbox, door);
    return ((await door).address() as AddressInfo).port;
  }

  async function signIn(sandbox: string, more: ClientConfig = {}): Promise<Client> {
    const port = await portOf(sandbox);
    const client = new Client({ host: "127.0.0.1", port, user: "app", database: "app", ...more });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  return {
    portOf,
    signIn,
    async ask(sandbox, sql) {
      const client = await signIn(sandbox);
      try {
        const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
        return rows;
      } finally {
        await client.end();
      }
    },
    async close() {
      for (const door of doors.values()) (await door).close();
    },
  };
}
