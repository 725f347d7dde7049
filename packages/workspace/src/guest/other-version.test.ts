import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { GUEST_FLAGS } from "../guest-workspace/sandbox-environment.ts";
import { ensureGuest } from "../host/built-guest.test-support.ts";
import { findInstallation } from "../host/installation.ts";
import { describeOtherVersion, WIRE_VERSION } from "../wire/version.ts";

ensureGuest();
const { node, guest } = findInstallation();

it.each([WIRE_VERSION + 1, WIRE_VERSION - 1, undefined])(
  "a guest refuses a server that speaks version %s of the wire protocol, before it does anything",
  (version) => {
    // There is no such socket: a guest that continued would report that, or wait.
    const config = JSON.stringify({ version, root: "/nowhere", sockets: "/nowhere", ways: [] });
    const words = [...GUEST_FLAGS, join(guest, "guest.mjs"), config];
    const { status, stderr } = spawnSync(node, words, { encoding: "utf8" });
    expect(stderr).toBe(`${describeOtherVersion(WIRE_VERSION, version).text}\n`);
    expect(status).toBe(1);
  },
);
