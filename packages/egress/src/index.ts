/** Network access of sandboxes. */
export { askAdvisories } from "./ask-advisories.ts";
export { type ConnectProxyOptions, createConnectProxy } from "./connect-proxy.ts";
export { passPlain } from "./pass-plain.ts";
export {
  NO_SETTINGS,
  type Reachable,
  reachableHosts,
  reachableOf,
  isSandboxVariable,
  serverEnvironment,
  type WorkspaceSettings,
} from "./project-settings.ts";
export { createRedactor, type Redactor } from "./redact.ts";
export { type Refusal, refusalWords } from "./refusal.ts";
export { readRegistryConfig, type Registry, type RegistryConfig } from "./registry-config.ts";
export { openStaticHostServer, staticAuthority } from "./static-hosts/open-static-host-server.ts";
export { FONT_HOSTS, STATIC_HOSTS } from "./static-hosts/static-hosts.ts";
export { createWaysOut, PROXY_ENV, PROXY_PORT, type TakeDatabase } from "./ways-out.ts";
export { isAllowedHost, normaliseAllowedHost } from "./allowed-host.ts";
export {
  AddressRefused,
  isPublicAddress,
  publicAddresses,
  resolveAll,
  type ResolveHost,
} from "./public-address.ts";
export type { MayInstall, PackageRequest } from "./package-request.ts";
export { askLicence, resolvePackages, type ResolvedPackages } from "./resolve-packages.ts";
export { spellingsOf } from "./spellings.ts";
export { REFUSAL_REASONS, type RefusalReason } from "./refused-header.ts";
