import { expect, it } from "vitest";
import { limitPolicy } from "./limit-policy.ts";

it("allows the project's own ports and hosts, and the static hosts for fetched resources only", () => {
  const limit = { hosts: ["api.example.com", "*.b.com:8443"], staticHosts: ["unpkg.com"] };
  expect(limitPolicy(limit, ["http://abc--4000.localhost:4173"])).toBe(
    [
      "default-src 'self' http://abc--4000.localhost:4173 ws://abc--4000.localhost:4173 https://api.example.com http://api.example.com wss://api.example.com https://*.b.com:8443 http://*.b.com:8443 wss://*.b.com:8443 https://unpkg.com data: blob: 'unsafe-inline' 'unsafe-eval'",
      "form-action 'self' http://abc--4000.localhost:4173 ws://abc--4000.localhost:4173 https://api.example.com http://api.example.com wss://api.example.com https://*.b.com:8443 http://*.b.com:8443 wss://*.b.com:8443",
      "object-src 'none'",
    ].join("; "),
  );
});
