import { createLifecycle, type Lifecycle } from "@treadle/protocol/lifecycle";
import { sentence } from "@treadle/protocol/sentences";
import { ApiFailure, notFound } from "@treadle/common";
import { readGitAddress } from "../address.ts";
import { loginHost } from "../git-logins.ts";
import type { Login } from "../run-git.ts";
import {
  findEndpoints,
  pollToken,
  requestCode,
  type DeviceClient,
  type DeviceEndpoints,
} from "./device-flow.ts";
import { FIRST_STEP, deviceTransition, type DeviceEffect, type DeviceEvent, type DeviceState } from "./device-lifecycle.ts"; // prettier-ignore

/** Sign-ins by the device flow, at most one for each server that the operator configured. */
export interface DeviceSignIns {
  /** Base addresses of the servers. */
  servers(): string[];
  /** Begins a sign-in unless one is running. @throws ApiFailure `git-no-device-flow` if the server is not configured */
  begin(server: string): DeviceState;
  /** The state of a server's last sign-in. @throws ApiFailure `not-found` if there was none */
  read(server: string): DeviceState;
  cancel(server: string): DeviceState;
}

interface Parts {
  clients: readonly DeviceClient[];
  /** Stores a login for a host and port. */
  saveLogin(host: string, login: Login): Promise<void>;
  clock: { now(): number; sleep(ms: number): Promise<void> };
}

const isRunning = ({ phase }: DeviceState) =>
  phase === "requesting" || phase === "waiting" || phase === "polling" || phase === "storing";

export function createDeviceSignIns({ clients, saveLogin, clock }: Parts): DeviceSignIns {
  const running = new Map<string, Lifecycle<DeviceState, DeviceEvent>>();
  const find = (server: string) => {
    const lifecycle = running.get(server);
    if (!lifecycle) throw notFound("signIn");
    return lifecycle;
  };

  function start(client: DeviceClient): Lifecycle<DeviceState, DeviceEvent> {
    let endpoints: DeviceEndpoints | undefined;
    const effects: {
      [Type in DeviceEffect["type"]]: (
        effect: Extract<DeviceEffect, { type: Type }>,
      ) => Promise<DeviceEvent>;
    } = {
      async request() {
        endpoints = await findEndpoints(client.server);
        return { type: "granted", ...(await requestCode(client, endpoints, clock.now())) };
      },
      async wait({ ms }) {
        await clock.sleep(ms);
        return { type: "due", now: clock.now() };
      },
      poll: ({ grant }) => pollToken(client, endpoints!, grant, clock.now),
      async store({ token: { token, until, refreshToken } }) {
        const renewal =
          until === undefined || refreshToken === undefined
            ? undefined
            : { until, refreshToken, clientId: client.clientId, endpoint: endpoints!.token };
        const login = { user: endpoints!.user, password: token, renewal };
        await saveLogin(loginHost(readGitAddress(`${client.server}/sign-in`)), login);
        return { type: "stored" };
      },
    };
    const perform = (effect: DeviceEffect) => {
      effects[effect.type](effect as never).then(
        (event) => lifecycle.send(event),
        (error: unknown) => lifecycle.send({ type: "failed", error }),
      );
    };
    const lifecycle = createLifecycle(FIRST_STEP.state, deviceTransition, perform);
    for (const effect of FIRST_STEP.effects) perform(effect);
    return lifecycle;
  }

  return {
    servers: () => clients.map(({ server }) => server),
    begin(server) {
      const before = running.get(server);
      if (before && isRunning(before.state)) return before.state;
      const client = clients.find((one) => one.server === server);
      if (!client)
        throw new ApiFailure(409, "git-no-device-flow", sentence("git-no-client", { server }));
      const lifecycle = start(client);
      running.set(server, lifecycle);
      return lifecycle.state;
    },
    read: (server) => find(server).state,
    cancel(server) {
      const lifecycle = find(server);
      lifecycle.send({ type: "cancel" });
      return lifecycle.state;
    },
  };
}
