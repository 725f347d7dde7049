import type { Duplex } from "node:stream";
import { pipeline } from "node:stream";
import { Client, DatabaseError, type ClientConfig } from "pg";
import { DatabaseFull } from "./watch-sizes.ts";
import { NoServer } from "./no-server.ts";
import { OthersDatabase } from "./owner.ts";
import { refusal, welcome } from "./messages.ts";
import { readStartup, type Startup } from "./startup.ts";

/** What a client may set while it begins. Its user and its database are not its to choose. */
const SETTINGS = ["client_encoding", "datestyle", "extra_float_digits", "timezone", "search_path"];
/** Longest name of an application, in characters. */
const NAME = 60;
/** For one answer while a client is signed in, in milliseconds, and bytes of all of them: an app may have set what its role is told. */
const ANSWER_MS = 10_000;
const MOST_BYTES = 1024 * 1024;

/** How the server is signed in to as an app. */
export interface Way {
  /** The app's own: it is let in as nobody else. */
  role: string;
  config: ClientConfig;
  /** It was refused: what was known does not hold any more. */
  forget(): void;
}

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
  on(event: "parameterStatus", listener: (parameter: Parameter) => void): void;
  on(event: "backendKeyData", listener: (key: KeyData) => void): void;
  /** Its stream is another from here on. */
  on(event: "sslconnect", listener: () => void): void;
}
type Parameter = { parameterName: string; parameterValue: string };
type KeyData = { processID: number; secretKey: number };

/** `too_many_connections`, and how those begin that say who may sign in. */
const [TOO_MANY, SIGNING_IN] = ["53300", "28"];
/** `invalid_password`, `invalid_catalog_name`: an app may have changed or renamed what is its own. */
const STALE = ["28P01", "3D000"];

/**
 * Joins clients in a sandbox to the app's own database. The host signs in, by a password that nobody inside ever sees, and
 * then only carries bytes.
 * @param reach how the server is signed in to as this app
 * @param cancel gives up the query of a session
 * @param options.most sessions at a time, those among them that are not signed in yet
 * @param options.enter keeps the server up until what it gives is called; once for each session
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
  // Until it is handed over; its pipe tells of what comes later.
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
    // An app may have functions of that name, which its role finds first.
    for (const [name, value] of asked)
      if (SETTINGS.includes(name.toLowerCase()))
        await client.query("SELECT pg_catalog.set_config($1, $2, false)", [name, value]);
    // From here on nobody of ours reads what it says.
    inner.stream.removeAllListeners("data");
    return { stream: inner.stream, parameters, key };
  } catch (error) {
    inner.stream.destroy();
    throw error;
  }
}

/** PostgreSQL's own words where it refused; of what went wrong on the way to it, nothing that names the server or us. */
function toldOf(error: unknown): Buffer {
  if (error instanceof OthersDatabase) return refusal("08004", error.message);
  if (error instanceof DatabaseFull) return refusal("53100", error.message);
  if (error instanceof NoServer) return refusal("57P03", error.message);
  return error instanceof DatabaseError && error.code && !error.code.startsWith(SIGNING_IN)
    ? refusal(error.code, error.message)
    : refusal("08006", "The database cannot be reached just now.");
}
