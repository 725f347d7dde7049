import { once } from "node:events";
import { request as ask } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createReleaseSlot } from "./release-slot.ts";
import { createAppPorts, type AppPorts } from "./app-ports.ts";
import { createDoor, type DoorPublication } from "./door.ts";
import { isPortHost, portAddresses, readPortSettings } from "./port-settings.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function portsOf(first: number, last = first, host = "127.0.0.1"): AppPorts {
  const find = (project: string): DoorPublication | undefined => {
    const slot = createReleaseSlot();
    slot.put({
      release: 1,
      kind: "site",
      answer: async (_, response) => void response.end(project),
    });
    return project === "gone" ? undefined : { project, slot, onRequest() {}, onError() {} };
  };
  const settings = { host, first, last };
  const ports = createAppPorts({ settings, door: createDoor("token"), find });
  closers.push(() => ports.close());
  return ports;
}

const get = (port: number, host = `127.0.0.1:${port}`) =>
  new Promise<string>((resolve, reject) => {
    const asked = ask({ host: "127.0.0.1", port, headers: { host }, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      answer.on("end", () => resolve(`${answer.statusCode} ${text}`));
    });
    asked.on("error", reject).end();
  });

describe("a dedicated port", () => {
  it("serves the app, and can be released", async () => {
    const port = await freePort();
    const ports = portsOf(port);
    expect(await ports.give("shop", "free")).toBe(port);
    expect(await get(port)).toBe("200 shop");
    expect(ports.describe("shop", port)).toEqual({
      number: port,
      addresses: [`http://127.0.0.1:${port}/`],
    });
    expect(await ports.give("shop", "none")).toBeUndefined();
    await expect(get(port)).rejects.toThrow("ECONNREFUSED");
  });

  it("A140 accepts addresses of this machine, and neither a foreign name nor the workbench's", async () => {
    const port = await freePort();
    await portsOf(port).give("shop", port);
    for (const host of [
      `evil.example:${port}`,
      `localhost:${port}`,
      `other.localhost:${port}`,
      `127.0.0.1:${port + 1}`,
      `127.0.0.1.evil.example:${port}`,
      `user@127.0.0.1:${port}`,
    ])
      expect(await get(port, host), host).toMatch(/^421 Ask for http:\/\/127\.0\.0\.1/);
    expect(await get(port, `[::1]:${port}`)).toBe("200 shop");
  });

  it("is reported as taken if it belongs to another, and the former port stays", async () => {
    const port = await freePort();
    const ports = portsOf(port);
    await ports.give("shop", "free");
    await expect(ports.give("other", port)).rejects.toMatchObject({ code: "port-taken" });
    await expect(ports.give("other", "free")).rejects.toMatchObject({ code: "port-taken" });
    await expect(ports.give("shop", port + 1)).rejects.toMatchObject({ code: "bad-port" });
    expect(await get(port)).toBe("200 shop");
    await ports.reopen("other", port);
    expect(ports.describe("other", port)!.problem).toContain(`Port ${port} is taken`);
  });

  it("gives the reason if nothing can listen there, and does not claim that it is taken", async () => {
    const port = await freePort();
    // An address that belongs to no machine (RFC 5737).
    const ports = portsOf(port, port, "203.0.113.7");
    const why = "203.0.113.7 is not an address of this machine, so nothing can listen there.";
    for (const wantedPort of ["free", port] as const)
      await expect(ports.give("shop", wantedPort), String(wantedPort)).rejects.toMatchObject({
        status: 409,
        code: "port-refused",
        message: `${why} TREADLE_APPS_HOST says where published apps with a port listen.`,
      });
    await ports.reopen("shop", port);
    expect(ports.describe("shop", port)!.problem).toContain(`${why} TREADLE_APPS_HOST`);
  });

  it("says so if nothing is published any more", async () => {
    const port = await freePort();
    await portsOf(port).give("gone", port);
    expect(await get(port)).toBe("404 Nothing is published here now.\n");
  });
});

describe("the address on which dedicated ports listen", () => {
  it("is this machine only, or as configured", () => {
    expect(readPortSettings({})).toEqual({ host: "127.0.0.1", first: 4200, last: 4299 });
    expect(
      readPortSettings({ TREADLE_APPS_HOST: "0.0.0.0", TREADLE_APPS_PORTS: "5000-5001" }),
    ).toEqual({ host: "0.0.0.0", first: 5000, last: 5001 });
    expect(() => readPortSettings({ TREADLE_APPS_HOST: "lan" })).toThrow(/^TREADLE_APPS_HOST is/);
    for (const wrong of ["80-90", "5001-5000", "5000", "5000-70000"])
      expect(() => readPortSettings({ TREADLE_APPS_PORTS: wrong }), wrong).toThrow(
        /^TREADLE_APPS_PORTS is/,
      );
  });

  it("is given with the addresses for others in the network", () => {
    const v4 = { netmask: "", mac: "", cidr: null };
    const interfaces = {
      lo: [{ ...v4, address: "127.0.0.1", family: "IPv4" as const, internal: true }],
      wlan: [{ ...v4, address: "192.168.1.5", family: "IPv4" as const, internal: false }],
    };
    const settings = { host: "0.0.0.0", first: 4200, last: 4299 };
    expect(portAddresses(settings, 4200, interfaces)).toEqual([
      "http://127.0.0.1:4200/",
      "http://192.168.1.5:4200/",
    ]);
    expect(isPortHost("192.168.1.5:4200", 4200)).toBe(true);
    expect(isPortHost("192.168.1.5", 4200)).toBe(false);
    expect(isPortHost(undefined, 4200)).toBe(false);
  });
});
