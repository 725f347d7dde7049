import type { Outside } from "../dial-out.ts";
import type { Registry } from "../registry-config.ts";
import { createAsker, REGISTRY_ALIAS } from "../registry-proxy.ts";
import { createAuthority, type Authority } from "./authority.ts";
import { createFontPackages } from "./font-packages.ts";
import { createStaticDoor, type StandIn, type StaticDoor } from "./static-door.ts";
import { STATIC_HOSTS } from "./static-hosts.ts";

let authority: Authority | undefined;
const fonts = new Map<string, StandIn>();

/** Made when it is first needed, and gone with this process: no key of it is ever on a disk. */
export const staticAuthority = (): Authority =>
  (authority ??= createAuthority([...STATIC_HOSTS, REGISTRY_ALIAS]));

/** The way to some of the static hosts; Google's fonts come out of the registry where Google is out of reach. */
export function openStaticDoor(options: {
  hosts: readonly string[];
  registry: Registry;
  outside: Outside;
  onUnreached(host: string): void;
}): StaticDoor {
  const { registry, outside } = options;
  const { href } = registry.url;
  const standIn =
    fonts.get(href) ?? createFontPackages(createAsker(registry, outside), registry.url);
  fonts.set(href, standIn);
  return createStaticDoor({ ...options, authority: staticAuthority(), standIn });
}
