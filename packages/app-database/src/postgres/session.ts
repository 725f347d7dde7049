import type { Duplex } from "node:stream";
import { pipeline } from "node:stream";
import { Client, DatabaseError, type ClientConfig } from "pg";
import { DatabaseFull } from "./watch-sizes.ts";
import { NoServer } from "./no-server.ts";
import { OthersDatabase } from "./owner.ts";
import { refusal, welcome } from "./messages.ts";
import { readStartup, type Startup } from "./startup.ts";

/**
 * Settings that a client may choose in its startup message. User and database are not among them.
 */
const SETTINGS = ["client_encoding", "datestyle", "extra_float_digits", "timezone", "search_path"];
/** Maximum length of an application name, in characters. */
const NAME = 60;
/**
 * Limits during a client's sign-in: time of one answer in milliseconds, and bytes of all, since an
 * app may have manipulated what its role receives.
 */
const ANSWER_MS = 10_000;
const MOST_BYTES = 1024 * 1024;

/** How to sign in to the server as an app. */
export interface Way {
  /** The app's own role, the only one it can use. */
  role: string;
  config: ClientConfig;
  /** Called when the sign-in was refused: the known password is outdated. */
  forget(): void;
}

/** A session's number and secret, with which its query may be cancelled. */
interface SessionKey {
  process: number;
  secret: number;
}

/** Open sessions of one app. */
export interface Sessions {
  /** Accepts a PostgreSQL client. Never rejects; errors are sent to the client. */
  take(connection: Duplex): Promise<void>;
  /** Ends all sessions. */
  end(): void;
}

/** Undocumented parts of a pg connection: it reads all messages of the server before we do. */
interface Inner {
  stream: Duplex;
  on(event: "parameterStatus", listener: (parameter: Parameter) => void): void;
  on(event: "backendKeyData", listener: (key: KeyData) => void): void;
  /** From then on, the connection has another stream. */
  on(event: "sslconnect", listener: () => void): void;
}
type Parameter = { parameterName: string; parameterValue: string };
type KeyData = { processID: number; secretKey: number };

/** `too_many_connections`, and the prefix of authentication errors. */
const [TOO_MANY, SIGNING_IN] = ["53300", "28"];
/**
 * `invalid_password`, `invalid_catalog_name`: an app may have changed its password or renamed its
 * database.
 */
const STALE = ["28P01", "3D000"];

/**
 * Connects clients in a sandbox to the app's own database. The host signs in with a password that no program in the
 * sandbox ever sees, and then only forwards bytes.
 * @param reach how to sign in to the server as this app
 * @param cancel cancels the query of a session
 * @param options.most maximum concurrent sessions, including those in sign-in
 * @param options.enter keeps the server up until the returned function is called; once for each session
 */
export function createSessions(
  reach: () => Promise<Way>,
  cancel: (process: number) => Promise<void>,
  { most, enter }: { most: number; enter(): Promise<() => void> },
): Sessions {
  const open = new Map<Duplex, SessionKey>();
  let taken = 0;
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
    if (taken >= most) {
      connection.end(refusal(TOO_MANY, `too many connections: an app may have ${most}`));
      return;
    }
    taken++;
    let leave = () => {};
    const release = () => {
      taken--;
      open.delete(connection);
      leave();
    };
    try {
      leave = await enter();
      const { stream, parameters, key } = await signInFor(connection, startup.parameters);
      open.set(connection, key);
      connection.write(welcome(parameters, key));
      pipeline(connection, stream, connection, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  async function signInFor(connection: Duplex, asked: ReadonlyMap<string, string>) {
    const way = await reach();
    const signedIn = await signIn(way, asked).catch(async (error: Error & { code?: string }) => {
      if (!STALE.includes(error.code ?? "")) throw error;
      way.forget();
      return signIn(await reach(), asked);
    });
    if (!ended && !connection.destroyed) return signedIn;
    signedIn.stream.destroy();
    throw new Error("It has left.");
  }

  return {
    async take(connection) {
      connection.on("error", () => undefined);
      try {
        const startup = await readStartup(connection);
        if (startup && !ended) await begin(connection, startup);
        else connection.destroy();
      } catch (error) {
        connection.end(toldOf(error));
      }
    },
    end() {
      ended = true;
      for (const connection of open.keys()) connection.destroy();
    },
  };
}

const innerOf = (client: Client) => (client as unknown as { connection: Inner }).connection;

async function signIn({ role, config }: Way, asked: ReadonlyMap<string, string>) {
  const client = new Client({
    ...config,
    application_name: (asked.get("application_name") ?? "app").slice(0, NAME),
    query_timeout: ANSWER_MS,
  });
  if (client.user !== role) throw new Error("The address names another role.");
  const inner = innerOf(client);
  // For errors until the stream is handed over; the pipeline reports later ones.
  client.on("error", () => undefined);
  const parameters = new Map<string, string>();
  const key: SessionKey = { process: 0, secret: 0 };
  inner.on("parameterStatus", ({ parameterName, parameterValue }) =>
    parameters.set(parameterName, parameterValue),
  );
  inner.on("backendKeyData", ({ processID, secretKey }) =>
    Object.assign(key, { process: processID, secret: secretKey }),
  );
  let size = 0;
  const measure = (bytes: Buffer) => {
    size += bytes.length;
    if (size > MOST_BYTES) inner.stream.destroy(new Error("It says too much."));
  };
  inner.stream.on("data", measure);
  inner.on("sslconnect", () => inner.stream.on("data", measure));
  try {
    await client.connect();
    // Named with its schema: an app may have a function of that name, which its role would find first.
    for (const [name, value] of asked)
      if (SETTINGS.includes(name.toLowerCase()))
        await client.query("SELECT pg_catalog.set_config($1, $2, false)", [name, value]);
    // From here on, only the app's client reads the server's messages.
    inner.stream.removeAllListeners("data");
    return { stream: inner.stream, parameters, key };
  } catch (error) {
    inner.stream.destroy();
    throw error;
  }
}

/**
 * The refusal that a client receives: PostgreSQL's own message if it refused. Other errors name neither the server nor
 * Treadle.
 */
function toldOf(error: unknown): Buffer {
  if (error instanceof OthersDatabase) return refusal("08004", error.message);
  if (error instanceof DatabaseFull) return refusal("53100", error.message);
  if (error instanceof NoServer) return refusal("57P03", error.message);
  return error instanceof DatabaseError && error.code && !error.code.startsWith(SIGNING_IN)
    ? refusal(error.code, error.message)
    : refusal("08006", "The database cannot be reached just now.");
}
