import { describe, expect, it } from "vitest";
import { isPlainSettings } from "./plain-settings.ts";

describe("a package manager's settings", () => {
  it.each([
    [".yarnrc.yml", "nodeLinker: node-modules\n"],
    [
      ".yarnrc.yml",
      "# how\nnodeLinker: pnp\n\nlogFilters:\n  - code: YN0002\n    level: discard\n",
    ],
    ["pnpm-workspace.yaml", 'packages:\n  - "packages/*"\nonlyBuiltDependencies:\n  - esbuild\n'],
    ["pnpm-workspace.yaml", "packages:\n- apps/*\ncatalog:\n  react: ^19.0.0\n"],
    [".npmrc", "engine-strict=true\n"],
    ["packages/a/.npmrc", "public-hoist-pattern[]=*types*\nlegacy-peer-deps = true\r\n"],
    ["bunfig.toml", '[install]\nexact = true\nlinker = "isolated"\n'],
    [".yarnrc", "network-timeout 600000\n"],
  ])("is plain if it only says how dependencies are installed: %s %j", (path, text) => {
    expect(isPlainSettings(path, text)).toBe(true);
  });

  it.each([
    [".yarnrc.yml", "nodeLinker: pnp\nyarnPath: .yarn/releases/yarn.cjs\n"],
    [".yarnrc.yml", "plugins:\n  - ./evil.cjs\n"],
    [".yarnrc.yml", '"yarnPath": x'],
    [".yarnrc.yml", '"yarn\\x50ath": x'],
    [".yarnrc.yml", "{ yarnPath: x }"],
    [".yarnrc.yml", "  yarnPath: x"],
    [".yarnrc.yml", "nodeLinker: pnp\n  yarnPath: x"],
    [".yarnrc.yml", "nodeLinker: pnp\ryarnPath: x"],
    [".yarnrc.yml", "nodeLinker: pnp\u2028yarnPath: x"],
    [".yarnrc.yml", "? yarnPath\n: x"],
    [".yarnrc.yml", "nodeLinker: &a pnp\n<<: *a"],
    [".yarnrc.yml", "npmRegistryServer: https://evil.example"],
    ["pnpm-workspace.yaml", "packages:\n  - a\nconfigDependencies:\n  x: 1.0.0+sha512-x\n"],
    ["pnpm-workspace.yaml", "scriptShell: ./evil"],
    ["pnpm-workspace.yaml", "---\npackages: []\n---\nregistry: x"],
    [".npmrc", "registry=https://evil.example/"],
    [".npmrc", "fund=false\nscript-shell=./evil"],
    [".npmrc", "//registry.npmjs.org/:_authToken=x"],
    [".npmrc", '"registry"=x'],
    [".npmrc", "[x]\nfund=false"],
    ["bunfig.toml", 'preload = ["./evil.ts"]'],
    ["bunfig.toml", '[install]\nregistry = "https://evil.example"'],
    ["bunfig.toml", "[run]\nexact = true"],
    [".yarnrc", 'yarn-path "./evil.cjs"'],
    [".pnpmfile.cjs", ""],
    ["binding.gyp", ""],
    ["AGENTS.md", ""],
  ])("is a protected file if it says anything else (A24, A32): %s %j", (path, text) => {
    expect(isPlainSettings(path, text)).toBe(false);
  });
});
