import type { Duplex } from "node:stream";
import { pipeline } from "node:stream";
import { Client, type ClientConfig } from "pg";
import { refusal, welcome } from "./messages.ts";
import { readStartup, type Startup } from "./startup.ts";

/** What a client may set while it begins. Its user and its database are not its to choose. */
const SETTINGS = ["client_encoding", "datestyle", "extra_float_digits", "timezone", "search_path"];
/** Longest name of an application, in characters. */
const NAME = 60;

/** A session's number and secret, by which its query may be given up. */
interface SessionKey {
  process: number;
  secret: number;
}

/** Sessions of one app that are open. */
export interface Sessions {
  /** Lets a client in that begins as PostgreSQL's do. Never rejects; what goes wrong is told to the client. */
  take(connection: Duplex): Promise<void>;
  /** Ends them all. */
  end(): void;
}

/** The parts of a connection of pg that its documentation does not name: it reads all that a server says before we do. */
interface Inner {
  stream: Duplex;
  on(event: "parameterStatus", listener: (told: Parameter) => void): void;
  on(event: "backendKeyData", listener: (told: KeyData) => void): void;
}
type Parameter = { parameterName: string; parameterValue: string };
type KeyData = { processID: number; secretKey: number };

/** `invalid_password`, `invalid_catalog_name`: an app may have changed or renamed what is its own. */
const STALE = ["28P01", "3D000"];

/**
 * Joins clients in a sandbox to the app's own database. The host signs in, by a password that nobody inside ever sees, and
 * then only carries bytes.
 * @param reach how the server is signed in to as this app; `anew`: what was known of it does not hold any more
 * @param cancel gives up the query of a session
 */
export function createSessions(
  reach: (anew: boolean) => Promise<ClientConfig>,
  cancel: (process: number) => Promise<void>,
): Sessions {
  const open = new Map<Duplex, SessionKey>();
  let ended = false;

  async function begin(connection: Duplex, startup: Startup): Promise<void> {
    if (startup.kind === "cancel") {
      const { process, secret } = startup;
      const isOurs = [...open.values()].some(
        (key) => key.process === process && key.secret === secret,
      );
      if (isOurs) await cancel(process);
      connection.end();
      return;
    }
    const { client, parameters, key } = await signIn(await reach(false), startup.parameters).catch(
      async (error: Error & { code?: string }) => {
        if (!STALE.includes(error.code ?? "")) throw error;
        return signIn(await reach(true), startup.parameters);
      },
    );
    const { stream } = innerOf(client);
    if (ended || connection.destroyed) return void stream.destroy();
    // From here on nobody of ours reads what it says.
    stream.removeAllListeners("data");
    open.set(connection, key);
    const over = () => void open.delete(connection);
    connection.write(welcome(parameters, key));
    pipeline(connection, stream, connection, over);
  }

  return {
    async take(connection) {
      connection.on("error", () => undefined);
      try {
        const startup = await readStartup(connection);
        if (startup && !ended) await begin(connection, startup);
        else connection.destroy();
      } catch (error) {
        connection.end(toldOf(error as Error & { code?: string }));
      }
    },
    end() {
      ended = true;
      for (const connection of open.keys()) connection.destroy();
    },
  };
}

const innerOf = (client: Client) => (client as unknown as { connection: Inner }).connection;

async function signIn(config: ClientConfig, asked: ReadonlyMap<string, string>) {
  const client = new Client({
    ...config,
    application_name: (asked.get("application_name") ?? "app").slice(0, NAME),
  });
  // Until it is handed over; its pipe tells of what comes later.
  client.on("error", () => undefined);
  const parameters = new Map<string, string>();
  const key: SessionKey = { process: 0, secret: 0 };
  innerOf(client).on("parameterStatus", ({ parameterName, parameterValue }) =>
    parameters.set(parameterName, parameterValue),
  );
  innerOf(client).on("backendKeyData", ({ processID, secretKey }) =>
    Object.assign(key, { process: processID, secret: secretKey }),
  );
  await client.connect();
  try {
    for (const [name, value] of asked)
      if (SETTINGS.includes(name.toLowerCase()))
        await client.query("SELECT set_config($1, $2, false)", [name, value]);
    return { client, parameters, key };
  } catch (error) {
    innerOf(client).stream.destroy();
    throw error;
  }
}

/** PostgreSQL's own words where it refused; of what went wrong on the way to it, nothing that names the server. */
function toldOf(error: Error & { code?: string }): Buffer {
  const isItsOwn = /^[0-9A-Z]{5}$/.test(error.code ?? "") && error.code !== "EPIPE";
  return isItsOwn
    ? refusal(error.code!, error.message)
    : refusal("08006", "The database cannot be reached just now.");
}
