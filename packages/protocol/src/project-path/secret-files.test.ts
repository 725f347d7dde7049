import { expect, it } from "vitest";
import { holdsEnvironment, holdsSecrets, isEnvironmentFile } from "./secret-files.ts";

it("recognises environment files in any folder and case, and examples as such", () => {
  for (const path of [".env", "app/.env.local", ".ENV", "a/b/.Env.Production"]) {
    expect(isEnvironmentFile(path), path).toBe(true);
    expect(holdsEnvironment(path), path).toBe(true);
    expect(holdsSecrets(path), path).toBe(true);
  }
  for (const path of [".env.example", ".env.local.sample", "app/.env.dist"]) {
    expect(isEnvironmentFile(path), path).toBe(true);
    expect(holdsSecrets(path), path).toBe(false);
  }
  for (const path of ["env", ".environment", "src/env.ts", "my.env", ".env/readme.md"])
    expect(isEnvironmentFile(path), path).toBe(false);
});

it("recognises keys and logins", () => {
  for (const path of ["certs/tls.pem", "id.KEY", ".npmrc", "app/.netrc", ".envrc"])
    expect(holdsSecrets(path), path).toBe(true);
  for (const path of ["src/key.ts", "keys/readme.md", "npmrc.md", "src/pem.ts"])
    expect(holdsSecrets(path), path).toBe(false);
});
