import type { Outside } from "../dial-out.ts";
import type { Registry } from "../registry-config.ts";
import { createAsker, REGISTRY_ALIAS } from "../registry-proxy.ts";
import { createCertificateAuthority, type CertificateAuthority } from "./certificate-authority.ts";
import { createFontPackages } from "./font-packages.ts";
import {
  createStaticHostServer,
  type StandIn,
  type StaticHostServer,
} from "./static-host-server.ts";
import { STATIC_HOSTS } from "./static-hosts.ts";

let authority: CertificateAuthority | undefined;
const fonts = new Map<string, StandIn>();

/**
 * The certificate authority of this process for static hosts. It is created on first use, and its keys are never
 * written to disk.
 */
export const staticAuthority = (): CertificateAuthority =>
  (authority ??= createCertificateAuthority([...STATIC_HOSTS, REGISTRY_ALIAS]));

/**
 * Opens the server for the given static hosts; serves Google's fonts from the registry if Google is
 * unreachable.
 */
export function openStaticHostServer(options: {
  hosts: readonly string[];
  registry: Registry;
  outside: Outside;
  onUnreached(host: string): void;
}): StaticHostServer {
  const { registry, outside } = options;
  const { href } = registry.url;
  const standIn =
    fonts.get(href) ?? createFontPackages(createAsker(registry, outside), registry.url);
  fonts.set(href, standIn);
  return createStaticHostServer({ ...options, authority: staticAuthority(), standIn });
}
