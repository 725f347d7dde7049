import { expect, it } from "vitest";
import { reachableHosts, serverEnvironment } from "./project-settings.ts";

it("puts a secret without a host into the server's environment, without allowing a host", () => {
  const settings = {
    hosts: [],
    secrets: [
      { name: "SESSION_SECRET", value: "signs", host: "" },
      { name: "KEY", value: "pays", host: "api.example.com" },
    ],
  };
  expect(serverEnvironment(settings)).toEqual({
    SESSION_SECRET: "signs",
    KEY: "pays",
    KEY_HOST: "api.example.com",
  });
  expect(reachableHosts(settings)).toEqual(["api.example.com"]);
});

it("puts the published address into the server's environment, unless a secret has that name", () => {
  const settings = { hosts: [], secrets: [], address: "https://notes.example.com" };
  expect(serverEnvironment(settings)).toEqual({ APP_URL: "https://notes.example.com" });
  const named = { name: "APP_URL", value: "https://other.example.com", host: "" };
  expect(serverEnvironment({ ...settings, secrets: [named] })).toEqual({ APP_URL: named.value });
});
