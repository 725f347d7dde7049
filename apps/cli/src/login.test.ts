import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loginFile, localConnection } from "@treadle/client/local";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  startAccountServer,
  type AccountServer,
} from "../../../packages/server/src/api/accounts/accounts.test-support.ts";
import { readArguments } from "./arguments/read-arguments.ts";
import { login, logout } from "./login.ts";

let at: AccountServer;
const data = mkdtempSync(join(tmpdir(), "treadle-login-"));
beforeAll(async () => void (at = await startAccountServer()));
afterAll(async () => {
  await at.server.close();
  rmSync(data, { recursive: true });
});

it("signs in by a code, keeps the token for its person alone, and ends it at the sign-out", async () => {
  const { person } = await at.member();
  const output = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const ended = login({ origin: at.origin, scopes: ["read"], days: 1, data });
    await expect.poll(() => output.mock.calls.join("")).toContain("enter the code");
    const code = /enter the code (\S+)/.exec(output.mock.calls.join(""))![1]!;
    expect(await at.accounts.devices.answer(code, person.id, true)).toBe(true);
    expect(await ended).toBe(0);
    expect(output.mock.calls.join("")).not.toContain("treadle_");
    expect(statSync(loginFile(data)).mode & 0o777).toBe(0o600);
    const { url, token } = localConnection(data);
    expect(url).toBe(at.origin);
    expect((await at.ask("/api/me", { token })).status).toBe(200);
    expect(await logout({ data })).toBe(0);
    expect((await at.ask("/api/me", { token })).status).toBe(401);
    expect(() => localConnection(data)).toThrow();
  } finally {
    output.mockRestore();
  }
});

it("sends no token in the clear over a network", () => {
  for (const address of ["http://treadle.example.com", "ftp://localhost", "example.com", ""])
    expect(readArguments(["login", address]).kind, address).toBe("wrong");
  expect(readArguments(["login", "https://treadle.example.com/p/x"])).toMatchObject({
    origin: "https://treadle.example.com",
    scopes: ["read", "write", "publish"],
  });
});
