/** Releases of verified projects and links to them: what the server uses of this package. */
export type { ElsewhereService } from "./elsewhere/elsewhere.ts";
export { openElsewhere } from "./elsewhere/open-elsewhere.ts";
export { readStandIns } from "./elsewhere/stand-ins.ts";
export { containerOf } from "./elsewhere/workspace-container.ts";
export { zipProject } from "./exports/zip-project.ts";
export { type Answer, type Ask, askOver, isHtml } from "./gate/strangers/ask.ts";
export { describePackage } from "./gate/describe-package.ts";
export { findMethods } from "./gate/routes/find-methods.ts";
export type { GateFile } from "./gate/types.ts";
export { readAppsDomain } from "./publications/app-hosts.ts";
export { createInspectionHosts } from "./publications/inspection-hosts.ts";
export { type Certificates, createCertificates } from "./publications/certificates.ts";
export { createDoor, PUBLISHED_PLACES } from "./publications/door.ts";
export { openPublicationList } from "./publications/stored-publication.ts";
export { type PortSettings, readPortSettings } from "./publications/port-settings.ts";
export { createPublications, type Publications } from "./publications/publications.ts";
export {
  CONTAINER_PORT,
  containerFiles,
  type ContainerFiles,
  LOCK_FILES,
} from "./release/container-files.ts";
export { MASK } from "./share/mask.ts";
export { keysInTexts, redactedTexts } from "./share/prepare-texts.ts";
export type { Shares } from "./share/shares.ts";
export { createSharing } from "./share/sharing.ts";
