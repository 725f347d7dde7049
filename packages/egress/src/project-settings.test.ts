import { expect, it } from "vitest";
import { reachableHosts, serverEnvironment } from "./project-settings.ts";

it("a secret that is for no host is in the server's environment, and opens none", () => {
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

it("where it is published is in the server's environment, unless a secret of that name says otherwise", () => {
  const settings = { hosts: [], secrets: [], address: "https://notes.example.com" };
  expect(serverEnvironment(settings)).toEqual({ APP_URL: "https://notes.example.com" });
  const named = { name: "APP_URL", value: "https://other.example.com", host: "" };
  expect(serverEnvironment({ ...settings, secrets: [named] })).toEqual({ APP_URL: named.value });
});
